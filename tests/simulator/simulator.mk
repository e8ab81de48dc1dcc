# SPDX-License-Identifier: 0BSD
# The simulator in $(S), of the objects of libcore and of the applets that the Makefile
# builds in $(B) for this configuration. For scripts/simulate, which sets these:
#
#     S		where the simulator is built
#     ARCHIVE	libcore.a, or libzc-parts.a
#     STACK	flags with which all that the program knows outlasts a call on its stack
#     OBJECTS	where the parts are that are the same in each configuration
include Makefile

same		:= model model_calls actors scenario judge facts lines state simulate
configured	:= parts caller program
parts		:= $(same:%=$(OBJECTS)/%.o) $(configured:%=$(S)/%.o)
# allocate() is the simulator's own.
applets		:= $(filter-out %/allocate.o,$(program-y:%=$(B)/applets/%.o))
scenario-lists	:= usual small random
part-cflags	= -std=gnu11 -fms-extensions -O1 -Wall -Wextra -Werror -Wno-unused-parameter \
		  $(STACK) -Ilibcore -Iapplets

.PHONY: simulator
simulator: $(S)/simulate $(OBJECTS)/model_check
$(OBJECTS)/%.o: tests/simulator/%.c tests/simulator/simulator.mk scripts/simulate
	$(call compile,$(part-cflags) -I$(OBJECTS))
$(OBJECTS)/facts.o: tests/judge/judge.c tests/simulator/simulator.mk scripts/simulate
	$(call compile,$(part-cflags))
$(configured:%=$(S)/%.o): $(S)/%.o: tests/simulator/%.c $(B)/flags \
  tests/simulator/simulator.mk
	$(call compile,$(part-cflags) -I$(libzc-config) -I$(B)/include)

# The scenarios, a string a line.
$(OBJECTS)/scenario.o: $(scenario-lists:%=$(OBJECTS)/%.h)
$(OBJECTS)/%.h: tests/simulator/scenarios/%
	@mkdir -p $(@D)
	$(Q)sed '/^#/d; /^$$/d; s/.*/"&",/' $< >$@

$(S)/applets.o: $(applets) tests/simulator/applets.ld
	$(Q)ld -r -T tests/simulator/applets.ld -o $@ $(applets)
$(OBJECTS)/wraps: $(OBJECTS)/model_calls.o
	$(Q)nm --defined-only $< | sed -n 's/.* T __wrap_/-Wl,--wrap=/p' >$@
# Calls that the model does not have would go to the real kernel. Those of the child of
# vfork(2) and of zc_new() are never made.
known		:= __errno_location allocate environ _GLOBAL_OFFSET_TABLE_ memcpy memset memcmp \
		   memchr memrchr memmove strcmp strncmp strlen getauxval _exit dup2 execv \
		   execvp mmap64 munmap
$(S)/strangers: $(S)/applets.o $(B)/$(ARCHIVE) $(OBJECTS)/wraps
	$(Q){ printf '%s\n' $(known); sed 's/.*=//' $(OBJECTS)/wraps; \
	  nm --defined-only $(filter %.o %.a,$^) | sed -n 's/.* [A-Z] //p'; } >$@.known
	$(Q)! nm -u $(filter %.o %.a,$^) | sed -n 's/^ *U //p' | grep -vxFf $@.known >$@ || { \
	  echo "box: tests/simulator/model_calls.c has no" $$(sort -u $@) >&2; rm $@; exit 1; }
$(S)/simulate: $(parts) $(S)/applets.o $(B)/$(ARCHIVE) $(OBJECTS)/wraps $(S)/strangers
	$(Q)cc -no-pie -o $@ $(filter %.o %.a,$^) $$(cat $(OBJECTS)/wraps)
# The model alone, and the kernel that runs.
$(OBJECTS)/model_check: $(OBJECTS)/model_check.o $(OBJECTS)/model.o $(OBJECTS)/model_calls.o
	$(Q)cc -o $@ $^ -lutil

-include $(parts:.o=.d) $(OBJECTS)/model_check.d
