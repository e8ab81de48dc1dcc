# SPDX-License-Identifier: 0BSD
# fish: completes yes as "box yes".

complete -c yes -w 'box yes'
