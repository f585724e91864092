/**
 * The command line. Entry type {@link io.talosgateway.cli.TalosGateway}; a class for each command. Commands fail with a
 * {@link io.talosgateway.cli.CommandFailure}, which becomes one line and the exit status 1; wrong usage exits with 2.
 */
@NullMarked
package io.talosgateway.cli;

import org.jspecify.annotations.NullMarked;
