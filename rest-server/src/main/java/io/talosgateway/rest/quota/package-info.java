/** What topics may be asked for: rates and space, compared with what is asked. */
@NullMarked
package io.talosgateway.rest.quota;

import org.jspecify.annotations.NullMarked;
