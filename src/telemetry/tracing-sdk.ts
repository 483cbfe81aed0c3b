// OpenTelemetry's own code, all of it. A file of its own because it is loaded only when traces are wanted
// (src/telemetry/tracing.ts), and the bundle (scripts/bundle.ts) can hold back only modules of ours.
import * as api from '@opentelemetry/api';
import * as core from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import * as resources from '@opentelemetry/resources';
import * as sdk from '@opentelemetry/sdk-trace-node';

export const openTelemetry = { api, core, OTLPTraceExporter, resources, sdk };
