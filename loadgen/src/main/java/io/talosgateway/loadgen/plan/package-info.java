/** What load is to be put where, and when: {@link LoadPlan}, and the options that it is made of. */
@NullMarked
package io.talosgateway.loadgen.plan;

import org.jspecify.annotations.NullMarked;
