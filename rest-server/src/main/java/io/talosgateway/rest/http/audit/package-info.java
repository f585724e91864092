/**
 * Who changed what, and who was refused. Entry type {@link io.talosgateway.rest.http.audit.AuditLog}. The file is written on a
 * thread of its own, so that a slow disk holds up no request.
 */
@NullMarked
package io.talosgateway.rest.http.audit;

import org.jspecify.annotations.NullMarked;
