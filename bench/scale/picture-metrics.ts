/**
 * Takes a picture of the dashboard's queries in Prometheus: `bun bench/scale/picture-metrics.ts [FOLDER]`. A server is loaded with documents and
 * searches while Prometheus (Debian's package `prometheus`) reads its metrics. Then every query of deploy/cairn-dashboard.json is asked of
 * it, and some of them are shown by its own page. Ends with an error should a query be refused, or nothing answer one that has to.
 */

import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { flatPicture } from "../../scripts/flat-picture.ts";
import { freePort } from "../../test/doubles/free-port.ts";
import { createWriter } from "../notes.ts";
import { key, startServer, temporaryFolder } from "../server.ts";

const pictures = Bun.argv[2] ?? resolve(import.meta.dir, "../../docs/images");
const token = "token-of-prometheus";
const loadMs = 90_000;
const notesAtOnce = 40;
/** What the dashboard's `$__rate_interval` stands for here. */
const rateInterval = "20s";
/** Nothing of a healthy server answers these: there is no index that is listed, and no file was read. */
const mayBeEmpty = ["cairn_index_lag_seconds", "cairn_blob_bytes"];
const shownQueries = ["cairn_jobs", "cairn_stage_duration_seconds_bucket"];
/** Without what is only there to be clicked. */
const style =
	"nav, .btn, .graph_container label, .query_stats, .eval_stats, .nav-tabs, form input, form .input-group, .checkbox { display: none !important } body { padding: 0 !important }";

interface Panel {
	readonly title: string;
	readonly targets?: readonly { readonly expr: string }[];
}
const { panels } = (await Bun.file(resolve(import.meta.dir, "../../deploy/cairn-dashboard.json")).json()) as { readonly panels: readonly Panel[] };
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", rateInterval)));

await using folder = await temporaryFolder();
const server = await startServer(join(folder.path, "data"), [], { CAIRN_METRICS_TOKEN: token }, undefined, false);
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const scrape = { job_name: "cairn", authorization: { credentials: token }, static_configs: [{ targets: [new URL(server.address).host] }] };
await Bun.write(join(folder.path, "prometheus.yml"), JSON.stringify({ global: { scrape_interval: "2s" }, scrape_configs: [scrape] }));
const prometheus = Bun.spawn(
	[
		"prometheus",
		`--config.file=${join(folder.path, "prometheus.yml")}`,
		`--storage.tsdb.path=${join(folder.path, "series")}`,
		`--web.listen-address=127.0.0.1:${port}`,
		"--log.level=error",
	],
	{ stdout: "ignore", stderr: "inherit" },
);
try {
	await load();
	for (const query of queries) {
		const { status, data } = await ask(query);
		const count = data?.result.length ?? 0;
		console.log(`${status}, ${count} series: ${query}`);
		if (status !== "success") throw new Error(`refused: ${query}`);
		if (count === 0 && !mayBeEmpty.some((name) => query.includes(name))) throw new Error(`nothing answers ${query}`);
	}
	await Bun.write(join(pictures, "metrics.webp"), await flatPicture(await picture()));
} finally {
	prometheus.kill();
	await prometheus.exited;
	await server.stop();
}

/** Notes in bursts, searches all the time, and now and then a request that fails. */
async function load(): Promise<void> {
	const writer = createWriter(1);
	const send = async (path: string, body: unknown) => {
		const response = await fetch(`${server.address}${path}`, {
			method: "POST",
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		await response.arrayBuffer();
	};
	const end = performance.now() + loadMs;
	for (let turn = 0; performance.now() < end; turn++) {
		if (turn % 20 === 0) await send("/v3/documents/batch", { documents: Array.from({ length: notesAtOnce }, writer.note) });
		if (turn % 40 === 10) await send("/v3/documents", { content: "http://127.0.0.1:9/blocked" });
		await send("/v3/search", { q: writer.question() });
		if (turn % 3 === 0) await send("/v4/search", { q: writer.question() });
		if (turn % 30 === 0) await send("/v3/search", { q: 1 });
		await Bun.sleep(100);
	}
}

async function ask(query: string): Promise<{ readonly status: string; readonly data?: { readonly result: readonly unknown[] } }> {
	const response = await fetch(`${address}/api/v1/query?query=${encodeURIComponent(query)}`);
	return (await response.json()) as { readonly status: string; readonly data?: { readonly result: readonly unknown[] } };
}

/** Prometheus' own page with a graph for each. */
async function picture(): Promise<Uint8Array> {
	const shown = queries.filter((query, i) => shownQueries.some((name) => query.includes(name) && queries.findIndex((other) => other.includes(name)) === i));
	const parameters = shown.flatMap((query, i) => [`g${i}.expr=${encodeURIComponent(query)}`, `g${i}.tab=0`, `g${i}.range_input=80s`, `g${i}.step_input=2`]);
	const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
	try {
		const page = await browser.newPage({ viewport: { width: 720, height: 400 } });
		await page.goto(`${address}/graph?${parameters.join("&")}`);
		await page.waitForFunction((count) => document.querySelectorAll("svg path").length >= count, shown.length);
		await page.addStyleTag({ content: style });
		return await page.screenshot({ fullPage: true });
	} finally {
		await browser.close();
	}
}
