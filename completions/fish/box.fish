# SPDX-License-Identifier: 0BSD
# fish: completes box and its applets, as in "box cat"; cat.fish and the others
# complete the applets by themselves.

# box itself.
set -l first 'test (count (commandline -opc)) = 1'
complete -c box -n $first -xa '(box --list 2>/dev/null)'
complete -c box -n $first -l config -d 'print the configuration it was built with'
complete -c box -n $first -l help -d 'show help and exit'
complete -c box -n $first -l install -d 'make a link for each applet'
complete -c box -n $first -l list -d 'list the applets by name'
complete -c box -n $first -l list-full -d 'list the applets with their paths'
complete -c box -n $first -l probe -d 'try each method of moving bytes'
complete -c box -n $first -l version -d 'show version and exit'

set -l second 'contains -- (commandline -opc)[2]'
complete -c box -n "$second --help" -xa '(box --list 2>/dev/null)'
complete -c box -n "$second --install" -s f -d 'replace what is there'
complete -c box -n "$second --install" -s s -d 'make symbolic links'

# Each of the applets.
# A wrong value is answered with all that there are.
function __box_methods
    box (commandline -opc)[2] --method= 2>&1 |
        string replace -rf "^  - '(.*)'\$" '$1'
end
set -l all "$second cat tee yes"
complete -c box -n $all -l debug -d 'say how bytes were moved'
complete -c box -n $all -l help -d 'show help and exit'
complete -c box -n $all -l method -xa "(__fish_append , (__box_methods))" \
    -d 'move bytes by these methods alone, in this order'
complete -c box -n $all -l version -d 'show version and exit'

complete -c box -n "$second cat tee" -s g -l progress \
    -d 'show progress on standard error'

complete -c box -n "$second cat" -s A -l show-all -d 'same as -vET'
complete -c box -n "$second cat" -s b -l number-nonblank \
    -d 'number nonempty lines'
complete -c box -n "$second cat" -s e -d 'same as -vE'
complete -c box -n "$second cat" -s E -l show-ends -d 'print $ where a line ends'
complete -c box -n "$second cat" -s n -l number -d 'number all lines'
complete -c box -n "$second cat" -s s -l squeeze-blank \
    -d 'print several empty lines as one'
complete -c box -n "$second cat" -s t -d 'same as -vT'
complete -c box -n "$second cat" -s T -l show-tabs -d 'print TAB as ^I'
complete -c box -n "$second cat" -s u -d ignored
complete -c box -n "$second cat" -s v -l show-nonprinting \
    -d 'print control characters as ^X, bytes above 127 as M-'

complete -c box -n "$second tee" -s a -l append -d 'append to the given files'
complete -c box -n "$second tee" -s i -l ignore-interrupts \
    -d 'ignore interrupts'
complete -c box -n "$second tee" -l lag -xa '64K 64K,wait 64K,skip 64K,drop' \
    -d 'how late an output may be'
complete -c box -n "$second tee" -l output-error \
    -fa 'warn warn-nopipe exit exit-nopipe' -d 'what to do when a write fails'
complete -c box -n "$second tee" -s p \
    -d 'same as --output-error=warn-nopipe'

complete -c box -n "$second yes" -f
