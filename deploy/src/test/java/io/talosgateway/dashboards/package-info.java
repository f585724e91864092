/** Dashboards of Grafana and rules of Prometheus: makes the former, and checks both against running gateways. */
package io.talosgateway.dashboards;
