# SPDX-License-Identifier: 0BSD
# fish: completes box and its applets, as in "box cat"; cat.fish and the others
# complete the applets by themselves. It has no list of options: it reads --help, and
# the answer to a wrong value.

# Box's own commands, as "--install [-s] [-f] [DIR]  make links".
function __box_commands
    box --help 2>/dev/null | string replace -rf '^  (?=--)' ''
end

# What follows the command that has been chosen.
function __box_command
    set -l usage (__box_commands | string match -e -- (commandline -opc)[2]' ')
    string match -ra -- '(?<=\[)-[a-z]' $usage
    if string match -q -- '*APPLET*' $usage
        box --list 2>/dev/null
    end
end

# The options of an applet, or the values of the one that has been begun.
function __box_applet
    set -l applet (commandline -opc)[2]
    set -l begun (commandline -ct)
    if contains -- -- (commandline -opc)
        return
    else if string match -q -- '--*=*' $begun
        set -l option (string replace -r '=.*' '' -- $begun)
        set -l value (string replace -r '^[^=]*=' '' -- $begun)
        # A wrong value is answered with all that there are. The second option is
        # none: the applet never runs.
        set -l choices (box $applet $option= --= 2>&1 </dev/null |
            string replace -rf "^  - '(.*)'\$" '$1' |
            string replace SIZE (string replace -r ',.*' '' -- $value) |
            string match -rv '^(,|$)')
        if box $applet --help 2>/dev/null |
                string match -qr -- "$option=[A-Z]+,\.\.\."
            set choices (string replace -r '[^,]*$' '' -- $value)$choices
        end
        string replace -r '^' -- $option= $choices
    else if string match -q -- '-*' $begun
        box $applet --help 2>/dev/null | string match -r '^  (?:-|    --).*' |
            string replace -r '^ *(-[^-])?(, )?(--[a-z-]+)?(\[?=?)\S* +(.*)' \
                '$1\t$5\n$3$4\t$5' |
            string replace -r '^(.*)\[=(.*)' '$1$2\n$1=$2' |
            string match -- '-*'
    end
end

function __box_at -a pattern
    test (count (commandline -opc)) -gt 1
    and string match -qr -- $pattern (commandline -opc)[2]
end

set -l first 'test (count (commandline -opc)) = 1'
complete -c box -n $first -xa '(box --list 2>/dev/null)'
complete -c box -n $first -xa "(__box_commands | string replace -r '^(\S+).*  +' '\$1\t')"
complete -c box -n '__box_at ^--' -a '(__box_command)'
complete -c box -n '__box_at ^[^-]' -a '(__box_applet)'
complete -c box -n '__box_at "^(--help|yes)\$"' -f
complete -c box -n 'string match -q -- "--*=*" (commandline -ct)' -f
