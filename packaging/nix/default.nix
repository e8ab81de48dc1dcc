# SPDX-License-Identifier: 0BSD
# nix-build packaging/nix
{ pkgs ? import <nixpkgs> { } }:

let
  inherit (pkgs) lib;
  # With musl and its libc.a, for the machine that pkgs is for.
  static = pkgs.pkgsStatic;
  makefile = builtins.readFile ../../Makefile;
  said = name: builtins.head
    (builtins.match ".*\n${name} := ([^\n]+)\n.*" makefile);
in
static.stdenv.mkDerivation {
  pname = "box";
  version = said "VERSION";

  # Without what was built in the tree, which is for another machine.
  src = lib.cleanSourceWith {
    src = lib.cleanSource ../..;
    filter = path: _:
      !(lib.elem path (map toString [ ../../build ../../.config ]));
  };

  nativeBuildInputs = [
    (pkgs.buildPackages.python3.withPackages (python: [ python.kconfiglib ]))
  ];

  postPatch = "patchShebangs scripts";

  # Nix strips, into an output of its own.
  makeFlags = [ "STRIP=n" "CC=${static.stdenv.cc.targetPrefix}cc" ];
  configurePhase = ''
    runHook preConfigure
    make distro_defconfig
    runHook postConfigure
  '';
  enableParallelBuilding = true;
  # Links in bin would collide with those of coreutils.
  installFlags = [ "PREFIX=" "DESTDIR=$(out)" "INSTALL_LINKS=none" ];
  postInstall = ''
    mkdir -p $out/lib/box/bin
    for applet in cat tee yes; do
      ln -s ../../../bin/box $out/lib/box/bin/$applet
    done
  '';
  separateDebugInfo = true;

  meta = {
    description = "cat, tee and yes in one small static program";
    homepage = said "HOMEPAGE";
    license = lib.licenses.bsd0;
    platforms = lib.platforms.linux;
    mainProgram = "box";
  };
}
