/**
 * Traces by OpenTelemetry, sent to a collector by OTLP over HTTP. It is imported only if a collector is set, because the libraries take
 * memory. Spans have names, codes and ids of jobs, and never content, queries or container tags.
 */

import {
	type Attributes,
	DiagLogLevel,
	diag,
	ROOT_CONTEXT,
	type Span,
	SpanKind,
	SpanStatusCode,
	type Context as TraceContext,
	trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, resourceAttributesEnvDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
	AlwaysOffSampler,
	AlwaysOnSampler,
	BatchSpanProcessor,
	ParentBasedSampler,
	type Sampler,
	TraceIdRatioBasedSampler,
	TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { ErrorCode } from "../../core/errors/catalog.ts";
import { asServiceError } from "../../core/errors/fail.ts";
import type { Job } from "../../core/ports/job-queue.ts";
import type { Log } from "../../core/ports/world.ts";
import type { SamplerName, Settings } from "../settings/settings.ts";
import { version } from "../version.ts";
import { type Context, currentContext, runInContext } from "./context.ts";

export interface Tracing {
	readonly span: <Result>(name: string, attributes: Attributes, work: () => Promise<Result>) => Promise<Result>;
	/** The span of a request. Its parent is in the header `traceparent`, if there is one. */
	readonly requestSpan: (request: Request, context: Context, respond: () => Promise<Response>) => Promise<Response>;
	/** The span of an attempt at a job, after one for the time it has waited. Both are children of the span in which it was created. */
	readonly jobSpan: <Result>(job: Job, details: Context["details"], work: () => Promise<Result>) => Promise<Result>;
	/** Marks the current span as failed. */
	readonly fail: (code: ErrorCode) => void;
	/** Names the current span for another process; null outside of spans, and in a trace that is not recorded. */
	readonly traceparent: () => string | null;
	/** Sends what has ended. */
	readonly close: () => Promise<void>;
}

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** The server does not stop later for a collector that does not respond. */
const flushMsMax = 2_000;

export function startTracing({ endpoint, service, sampler, samplerArgument }: NonNullable<Settings["tracing"]>, log: Log): Tracing {
	reportFailures(log);
	const processor = new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), exportTimeoutMillis: 10_000 });
	const resource = resourceFromAttributes({ "service.name": service, "service.version": version });
	const provider = new TracerProvider({
		resource: detectResources({ detectors: [resourceAttributesEnvDetector] }).merge(resource),
		sampler: samplerOf(sampler, samplerArgument),
		spanProcessors: [processor],
	});
	const tracer = provider.getTracer("cairn", version);
	const current = () => (currentContext()?.trace ?? ROOT_CONTEXT) as TraceContext;

	async function run<Result>(span: Span, context: Context, work: () => Promise<Result>): Promise<Result> {
		context.trace = trace.setSpan(ROOT_CONTEXT, span);
		try {
			return await runInContext(context, work);
		} catch (thrown) {
			// The message of an error may quote content.
			span.setStatus({ code: SpanStatusCode.ERROR, message: asServiceError(thrown).code });
			throw thrown;
		} finally {
			span.end();
		}
	}

	return {
		span: (name, attributes, work) => {
			const span = tracer.startSpan(name, { attributes }, current());
			return run(span, { details: currentContext()?.details ?? {}, route: null, trace: null }, work);
		},
		requestSpan: (request, context, respond) => {
			const attributes = { "http.request.method": request.method, "cairn.request_id": context.details["requestId"] ?? "" };
			const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, remoteParent(request.headers.get("traceparent")));
			return run(span, context, async () => {
				const response = await respond();
				span.updateName(`${request.method} ${context.route ?? "unmatched"}`);
				span.setAttributes({ "http.route": context.route ?? "unmatched", "http.response.status_code": response.status });
				if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
				return response;
			});
		},
		jobSpan: (job, details, work) => {
			const parent = remoteParent(job.trace);
			const attributes = { "cairn.job": job.id, "cairn.task": job.task, "cairn.attempt": job.attempt };
			tracer.startSpan(`queue ${job.task}`, { startTime: job.notBefore, attributes }, parent).end();
			const span = tracer.startSpan(`job ${job.task}`, { kind: SpanKind.CONSUMER, attributes }, parent);
			return run(span, { details, route: null, trace: null }, work);
		},
		fail: (code) => void trace.getSpan(current())?.setStatus({ code: SpanStatusCode.ERROR, message: code }),
		traceparent: () => {
			const context = trace.getSpanContext(current());
			return context === undefined || context.traceFlags === 0 ? null : `00-${context.traceId}-${context.spanId}-01`;
		},
		close: async () => {
			await Promise.race([provider.shutdown().catch(() => undefined), Bun.sleep(flushMsMax)]);
		},
	};
}

function remoteParent(traceparent: string | null): TraceContext {
	const [, traceId, spanId, flags] = traceparentPattern.exec(traceparent ?? "") ?? [];
	if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT;
	return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags ?? "0", 16) & 1, isRemote: true });
}

function samplerOf(name: SamplerName, ratio: number): Sampler {
	const rootName = name.replace("parentbased_", "");
	const root = rootName === "always_on" ? new AlwaysOnSampler() : rootName === "always_off" ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
	return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

/** Each message of the library once: a collector that is away fails every few seconds. */
function reportFailures(log: Log): void {
	const reported = new Set<string>();
	const report = (message: string) => {
		if (reported.has(message) || reported.size > 20) return;
		reported.add(message);
		log("warn", "traces could not be sent", { reason: message });
	};
	const ignore = () => undefined;
	diag.setLogger({ error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, { logLevel: DiagLogLevel.ERROR });
}
