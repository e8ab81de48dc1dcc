# SPDX-License-Identifier: 0BSD
# fish: completes cat as "box cat".

complete -c cat -w 'box cat'
