/** A collector of traces on this machine: takes OTLP over HTTP in JSON, decodes it and keeps the spans. */

export interface CollectedSpan {
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId: string | null;
	readonly name: string;
	readonly service: string;
	readonly attributes: Readonly<Record<string, unknown>>;
	readonly statusMessage: string | null;
	readonly startedAt: number;
	readonly endedAt: number;
}

export interface Collector {
	readonly endpoint: string;
	readonly spans: readonly CollectedSpan[];
	/** Everything that was received, as text. */
	readonly received: () => string;
	readonly close: () => Promise<void>;
}

interface Value {
	readonly stringValue?: string;
	readonly intValue?: number | string;
	readonly doubleValue?: number;
	readonly boolValue?: boolean;
}
type Attributes = readonly { readonly key: string; readonly value: Value }[];
interface SentSpan {
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly name: string;
	readonly startTimeUnixNano: string;
	readonly endTimeUnixNano: string;
	readonly attributes?: Attributes;
	readonly status?: { readonly message?: string };
}
interface Sent {
	readonly resourceSpans: readonly {
		readonly resource: { readonly attributes: Attributes };
		readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
	}[];
}

export function startCollector(): Collector {
	const spans: CollectedSpan[] = [];
	const texts: string[] = [];
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: async (request) => {
			if (request.method !== "POST" || new URL(request.url).pathname !== "/v1/traces") return new Response(null, { status: 404 });
			if (request.headers.get("content-type") !== "application/json") return new Response(null, { status: 415 });
			const body = Buffer.from(await request.arrayBuffer());
			const text = (request.headers.get("content-encoding") === "gzip" ? Buffer.from(Bun.gunzipSync(body)) : body).toString();
			texts.push(text);
			spans.push(...decoded(JSON.parse(text) as Sent));
			return Response.json({ partialSuccess: {} });
		},
	});
	return { endpoint: `http://127.0.0.1:${server.port}`, spans, received: () => texts.join("\n"), close: () => server.stop(true) };
}

function decoded({ resourceSpans }: Sent): readonly CollectedSpan[] {
	return resourceSpans.flatMap(({ resource, scopeSpans }) => {
		const service = String(valuesOf(resource.attributes)["service.name"]);
		return scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(span, service)));
	});
}

function collected(span: SentSpan, service: string): CollectedSpan {
	const { traceId, spanId, name } = span;
	return {
		...{ traceId, spanId, name, service },
		parentSpanId: span.parentSpanId === undefined || span.parentSpanId === "" ? null : span.parentSpanId,
		attributes: valuesOf(span.attributes ?? []),
		statusMessage: span.status?.message ?? null,
		startedAt: Number(span.startTimeUnixNano) / 1e6,
		endedAt: Number(span.endTimeUnixNano) / 1e6,
	};
}

function valuesOf(attributes: Attributes): Readonly<Record<string, unknown>> {
	return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? value.boolValue ?? Number(value.intValue)]));
}
