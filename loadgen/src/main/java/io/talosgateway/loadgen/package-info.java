/**
 * The load generator. Entry type {@link io.talosgateway.loadgen.Loadgen}, a command line. Packages may use those below them:
 *
 * <ol>
 *   <li>this one; {@code experiment}: the commands
 *   <li>{@code run}: a run of load, also of a topic as a queue
 *   <li>{@code report}: what came of it
 *   <li>{@code request}: what is sent
 *   <li>{@code plan}: what load, where and when; {@code measure}: what is counted
 *   <li>{@code http}, {@code content}, {@code process}, {@code chart}
 *   <li>{@code cli}: what all commands have in common
 * </ol>
 */
@NullMarked
package io.talosgateway.loadgen;

import org.jspecify.annotations.NullMarked;
