/** What all commands have in common: options, what is said to the user, and how failures end. */
@NullMarked
package io.talosgateway.loadgen.cli;

import org.jspecify.annotations.NullMarked;
