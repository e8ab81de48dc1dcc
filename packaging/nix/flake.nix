# SPDX-License-Identifier: 0BSD
{
  description = "cat, tee and yes in one small static program";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: {
        default = import ./. { pkgs = nixpkgs.legacyPackages.${system}; };
      });
    };
}
