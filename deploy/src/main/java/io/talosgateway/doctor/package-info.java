/**
 * What {@code talos-gateway doctor} looks at: a {@link io.talosgateway.doctor.DoctorCheck} for each thing that a gateway depends on. Checks
 * use the adapters of the gateway itself, change nothing that stays, and do not disturb a gateway that runs.
 */
@NullMarked
package io.talosgateway.doctor;

import org.jspecify.annotations.NullMarked;
