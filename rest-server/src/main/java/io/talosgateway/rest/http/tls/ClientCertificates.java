package io.talosgateway.rest.http.tls;

import java.nio.file.Path;

import io.talosgateway.rest.tls.TrustedCertificates;

/**
 * The certificates of clients.
 *
 * @param authorities who signs them
 * @param keys file that says which key each stands for
 * @param needed whether connections without one are refused
 */
public record ClientCertificates(TrustedCertificates authorities, Path keys, boolean needed) {}
