/**
 * Draws one trace from a request to `done`: `bun bench/scale/picture-trace.ts postgres://… [FOLDER]`, an empty database. A server that takes
 * requests and one that works send their spans to a collector here, and the spans of one document are drawn as they came, in an SVG.
 */

import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { freePort } from "../../test/doubles/free-port.ts";
import { type CollectedSpan, startCollector } from "../../test/doubles/otlp-collector.ts";
import { spawnServer } from "../../test/doubles/server-process.ts";
import { until } from "../../test/doubles/until.ts";
import { key, temporaryFolder } from "../server.ts";

const [url, pictures = resolve(import.meta.dir, "../../docs/images")] = Bun.argv.slice(2);
if (url === undefined) {
	console.error("usage: bun bench/scale/picture-trace.ts postgres://user@host/database [FOLDER]");
	process.exit(1);
}
const traceId = "0af7651916cd43dd8448eb211c80319c";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const [namesWidth, barsWidth, rowHeight] = [250, 470, 22];
const colours: Readonly<Record<string, string>> = { api: "#2b6cb0", worker: "#b7791f" };

await using folder = await temporaryFolder();
const collector = startCollector();
async function start(role: string) {
	const data = join(folder.path, role);
	await mkdir(data);
	const address = `http://127.0.0.1:${await freePort()}`;
	const settings = { CAIRN_STORAGE_URL: url ?? "", CAIRN_ROLE: role, CAIRN_API_KEY: key, CAIRN_SECRET: "secret-of-both-servers", PORT: new URL(address).port };
	const child = spawnServer(data, { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: role });
	await until(async () => (await fetch(`${address}/ready`).catch(() => null))?.ok);
	return {
		address,
		stop: () => {
			child.kill();
			return child.exited;
		},
	};
}
const api = await start("api");
const worker = await start("worker");
try {
	// The first document pays for the start of the embedder.
	await addAndWait("Rooks nest in the elms.", {});
	await addAndWait("Mara keeps the lighthouse at Brightwater and counts puffins every spring.", { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
	const isComplete = (spans: readonly CollectedSpan[]) => ["POST /v3/documents", "job ingest"].every((name) => spans.some((span) => span.name === name));
	const spans = await until(() => {
		const own = collector.spans.filter((span) => span.traceId === traceId);
		return isComplete(own) ? own : null;
	});
	await Bun.write(join(pictures, "trace.svg"), drawn(spans));
	for (const { service, name, startedAt, endedAt } of spans) console.log(`${service} ${name}: ${(endedAt - startedAt).toFixed(1)} ms`);
} finally {
	await Promise.all([api.stop(), worker.stop()]);
	await collector.close();
}

async function addAndWait(content: string, more: Readonly<Record<string, string>>): Promise<void> {
	const added = await fetch(`${api.address}/v3/documents`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify({ content }) });
	const { id } = (await added.json()) as { readonly id: string };
	await until(async () => ((await (await fetch(`${api.address}/v3/documents/${id}`, { headers })).json()) as { readonly status: string }).status === "done");
}

/** Parents before their children, and these in the order of their beginning. */
function inOrder(spans: readonly CollectedSpan[], parent: string, depth = 0): readonly { readonly span: CollectedSpan; readonly depth: number }[] {
	return spans
		.filter(({ parentSpanId }) => parentSpanId === parent)
		.toSorted((a, b) => a.startedAt - b.startedAt)
		.flatMap((span) => [{ span, depth }, ...inOrder(spans, span.spanId, depth + 1)]);
}

function drawn(spans: readonly CollectedSpan[]): string {
	const rows = inOrder(spans, "b7ad6b7169203331");
	const begin = Math.min(...spans.map(({ startedAt }) => startedAt));
	const scale = barsWidth / (Math.max(...spans.map(({ endedAt }) => endedAt)) - begin);
	const lines = rows.map(({ span: { name, service, startedAt, endedAt }, depth }, i) => {
		const [x, width, y] = [namesWidth + (startedAt - begin) * scale, Math.max(1, (endedAt - startedAt) * scale), i * rowHeight];
		const label = `${(endedAt - startedAt).toFixed(1)} ms`;
		// Beside the bar where there is room.
		const isLeft = x + width > namesWidth + barsWidth - 20;
		const at = isLeft ? `x="${(x - 4).toFixed(1)}" text-anchor="end"` : `x="${(x + width + 4).toFixed(1)}"`;
		return `<text x="${8 + depth * 14}" y="${y + 15}">${name}</text><rect x="${x.toFixed(1)}" y="${y + 4}" width="${width.toFixed(1)}" height="14" fill="${colours[service] ?? "#666"}"/><text ${at} y="${y + 15}" fill="#555">${label}</text>`;
	});
	const [width, height] = [namesWidth + barsWidth + 70, rows.length * rowHeight + 30];
	const legend = Object.entries(colours).map(
		([service, colour], i) =>
			`<rect x="${8 + i * 90}" y="${height - 18}" width="10" height="10" fill="${colour}"/><text x="${22 + i * 90}" y="${height - 9}">${service}</text>`,
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" fill="#111"><title>A trace from a request to done</title><rect width="${width}" height="${height}" fill="#fff"/>${[...lines, ...legend].join("")}</svg>\n`;
}
