# SPDX-License-Identifier: 0BSD
# fish: completes tee as "box tee".

complete -c tee -w 'box tee'
