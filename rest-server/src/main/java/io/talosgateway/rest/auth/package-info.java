/**
 * Who is asking: keys, signatures of the Talos SDKs, HTTP Basic, certificates, bearer tokens. Entry type
 * {@link io.talosgateway.rest.auth.Authenticator}. No threads.
 */
@NullMarked
package io.talosgateway.rest.auth;

import org.jspecify.annotations.NullMarked;
