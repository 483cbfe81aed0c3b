// Traces through OpenTelemetry, only when OTEL_EXPORTER_OTLP_ENDPOINT is set: without it none of its code is loaded.
// Spans carry route patterns, outcomes and request ids; never a path, a query or anything about a person (threat 92).
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Span, Context as TraceContext } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import type { Jobs } from '../queue/jobs.ts';
import { routeOf } from './metrics-requests.ts';

export type Tracing = {
  /** One span for each request, and one inside it for its charge. */
  request: Middleware;
  /** Whatever `work` starts is inside the span. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Adds to the span under way, if there is one. */
  annotate(attributes: Attributes): void;
  /** Sends what is left. */
  stop(): Promise<void>;
};

export async function startTracing(options: {
  endpoint: string | undefined;
  /** Parents are taken only from proxies of our own: anybody can write the header. */
  trustProxy: number;
}): Promise<Tracing> {
  return options.endpoint ? exportTo(options.endpoint, options.trustProxy > 0) : noTracing;
}

const noTracing: Tracing = {
  request: (_ctx, next) => next(),
  span: (_name, _attributes, work) => work(),
  annotate: () => undefined,
  stop: async () => undefined,
};

async function exportTo(endpoint: string, takesParents: boolean): Promise<Tracing> {
  const { openTelemetry } = await import('./tracing-sdk.ts');
  const { api, core, OTLPTraceExporter, resources, sdk } = openTelemetry;
  const { defaultTextMapGetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const propagator = new core.W3CTraceContextPropagator();
  const named = resources.resourceFromAttributes({ 'service.name': 'tollgate' });
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win over our name.
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  // Kept to ourselves instead of registered: a process may hold other Tollgates, or an application of its own.
  const provider = new sdk.BasicTracerProvider({
    resource: named.merge(detected),
    spanProcessors: [
      new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })),
    ],
  });
  const tracer = provider.getTracer('tollgate');
  const current = new AsyncLocalStorage<Span>();
  const contextOf = (span: Span | undefined) => (span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT);

  const run = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
    try {
      return await current.run(span, work);
    } catch (error) {
      // The name says enough; messages may quote what somebody typed.
      span.setStatus({
        code: SpanStatusCode.ERROR,
        message: error instanceof Error ? error.name : 'unknown',
      });
      throw error;
    } finally {
      span.end();
    }
  };

  function parentOf(header: string): TraceContext {
    if (!takesParents) return ROOT_CONTEXT;
    return propagator.extract(ROOT_CONTEXT, { traceparent: header }, defaultTextMapGetter);
  }

  return {
    async request(ctx, next) {
      const attributes = { 'http.request.method': ctx.method };
      const span = tracer.startSpan(
        ctx.method,
        { kind: SpanKind.SERVER, attributes },
        parentOf(ctx.get('traceparent')),
      );
      ctx.state.telemetryTraceId = span.spanContext().traceId;
      await run(span, async () => {
        await next();
        const route = routeOf(ctx);
        span.updateName(`${ctx.method} ${route}`);
        span.setAttribute('http.route', route);
        span.setAttribute('http.response.status_code', ctx.status);
        span.setAttribute('tollgate.request', String(ctx.state.requestId));
        if (typeof ctx.state.refusal === 'string') span.setAttribute('tollgate.refusal', ctx.state.refusal);
        if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        const charge: { kind: string; startedAt: number; seconds: number } | undefined = ctx.state.charge;
        if (!charge) return;
        const startTime = performance.timeOrigin + charge.startedAt;
        tracer
          .startSpan(
            'token charge',
            { startTime, attributes: { 'tollgate.kind': charge.kind } },
            contextOf(span),
          )
          .end(startTime + charge.seconds * 1000);
      });
    },
    span: (name, attributes, work) =>
      run(tracer.startSpan(name, { attributes }, contextOf(current.getStore())), work),
    annotate: (attributes) => void current.getStore()?.setAttributes(attributes),
    stop: () => provider.shutdown(),
  };
}

/** The same jobs; each run is a span of its own. */
export function traceJobs(jobs: Jobs, tracing: Pick<Tracing, 'span'>): Jobs {
  return {
    ...jobs,
    work(queue, handler) {
      return jobs.work(queue, (data: Parameters<typeof handler>[0]) =>
        tracing.span(`${queue} job`, { 'tollgate.queue': queue }, () => handler(data)),
      );
    },
  };
}
