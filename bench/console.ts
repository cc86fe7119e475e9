/**
 * The web console over a full server, in headless Chromium: how soon each list shows its first row, what processor time the server and the
 * page's thread take for it, the longest task of the page, and its heap. `bun bench/console.ts FOLDER [--documents N] [--memories N] [--rounds N] [--only WORD] [--checkout OLD]` fills the data folder
 * with what it lacks, which takes minutes the first time, and looks at it with this version, or with that of another clone.
 */

import { loadavg } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { CDPSession, Page } from "playwright-core";
import { openBrowser } from "../test/doubles/browser.ts";
import { fill, fullest, graphed } from "./console/fill.ts";
import { framesWhileDragging, heapMegabytes, pageCpuMs, processCpuMs, type Seen, type Step, timed, watchTasks } from "./console/watch-page.ts";
import { key, startServer } from "./server.ts";
import { median, shown } from "./times.ts";

const rowMsMax = 200;
const heapMax = 60;
const pauseMs = 500;

const { values, positionals } = parseArgs({
	args: process.argv.slice(2),
	options: {
		documents: { type: "string", default: "100000" },
		memories: { type: "string", default: "50000" },
		rounds: { type: "string", default: "5" },
		only: { type: "string", default: "" },
		checkout: { type: "string" },
	},
	allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error("name the data folder that is filled and looked at");

interface Named extends Step {
	readonly name: string;
	/** Where one comes from, and what is awaited there. */
	readonly from?: Step;
	/** Typed into the field with this label before the click. */
	readonly fills?: readonly [label: string, text: string];
}

const documentRow = '[aria-labelledby="list"] .rows > li';
const memoryRow = '[aria-labelledby="memories"] .rows > li';
const documents: Step = { hash: "#/documents", row: documentRow };
const memories: Step = { hash: `#/memories?container=${fullest}`, row: memoryRow };
const older = ".pager button:last-of-type";
const steps: readonly Named[] = [
	{ name: "Home", hash: "#/", row: '[aria-labelledby="newest"] .rows > li', from: documents },
	{ name: "Home: the counts", hash: "#/", row: ".figures > li", from: documents },
	{ name: "Documents", ...documents, from: { hash: "#/search", row: "form" } },
	{ name: "Documents: failed", hash: "#/documents?state=failed", row: documentRow, from: documents },
	{ name: "Documents: done", hash: "#/documents?state=done", row: documentRow, from: documents },
	{ name: "Documents: one container", hash: "#/documents?container=tag-7", row: documentRow, from: documents },
	{ name: "Documents: one container, done", hash: "#/documents?container=tag-7&state=done", row: documentRow, from: documents },
	{ name: "Documents: next page", click: older, row: documentRow, from: documents },
	{
		name: "Documents: choose among the containers",
		click: ".filters .chosen:last-of-type .choice, .filters .combined button",
		row: '[role="option"]',
		from: documents,
	},
	{
		name: "Search: documents",
		click: 'form button[type="submit"]',
		row: ".hit",
		from: { hash: "#/search", row: "form" },
		fills: ["Query", "ferry to Ghent from pier"],
	},
	{ name: "Memories", ...memories, from: { hash: "#/search", row: "form" } },
	{ name: "Memories, without a container named", hash: "#/memories", row: memoryRow, from: { hash: "#/search", row: "form" } },
	{ name: "Memories: next page", click: older, row: memoryRow, from: memories },
	{
		name: "Memories: search",
		click: 'form.query button[type="submit"]',
		row: memoryRow,
		from: memories,
		fills: ["Search in these memories", "who keeps boat 17"],
	},
	{ name: "Containers", hash: "#/access", row: '[aria-labelledby="containers"] .rows > li', from: documents },
	{ name: "Keys", hash: "#/access", row: '[aria-labelledby="keys"] .rows > li', from: documents },
	{ name: "Audit log", hash: "#/organisation/audit", row: '[aria-labelledby="audit"] .rows > li', from: documents },
	{ name: "Graph: its list", hash: `#/graph?container=${graphed}`, row: '[aria-label="Nodes"] > li', from: documents },
];

const server = await startServer(
	resolve(folder),
	[],
	{ CAIRN_LOG_LEVEL: "error" },
	values.checkout === undefined ? undefined : resolve(values.checkout),
	false,
);
const { context, close } = await openBrowser({ viewport: { width: 1280, height: 800 } });
try {
	await fill(server, { documents: Number(values.documents), memories: Number(values.memories) });
	const page = await context.newPage();
	const session = await context.newCDPSession(page);
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	await watchTasks(page);
	await signIn(page);
	console.log(`load ${loadavg().map((load) => load.toFixed(1))}, ${values.documents} documents, ${values.memories} memories, ${values.rounds} rounds\n`);
	console.log(`| list | first row | processor: server | page | longest task | heap | < ${rowMsMax} ms and < ${heapMax} MB |\n|---|---|---|---|---|---|---|`);
	for (const step of steps) if (step.name.includes(values.only)) await measure(page, session, step);
	if ("Graph".includes(values.only)) await measureGraph(page, session);
} finally {
	await close();
	await server.stop();
}

async function signIn(page: Page): Promise<void> {
	await page.goto(server.address);
	await page.getByLabel("API key").fill(key);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.locator(".figures").waitFor();
}

interface Round extends Seen {
	readonly serverMs: number;
	readonly pageMs: number;
}

async function measure(page: Page, session: CDPSession, { name, from, fills, ...step }: Named): Promise<void> {
	const seen: Round[] = [];
	for (let round = 0; round < Number(values.rounds); round++) {
		await page.evaluate(() => {
			location.hash = "#/nowhere";
		});
		await page.getByText("There is no such page").waitFor();
		if (from !== undefined) await timed(page, from);
		if (fills !== undefined) await page.getByLabel(fills[0]).fill(fills[1]);
		// What the page before still asks for is answered by then.
		await Bun.sleep(pauseMs);
		const [serverBefore, pageBefore] = [await processCpuMs(server.pid), await pageCpuMs(session)];
		const { rowMs, taskMs } = await timed(page, step);
		seen.push({ rowMs, taskMs, serverMs: (await processCpuMs(server.pid)) - serverBefore, pageMs: (await pageCpuMs(session)) - pageBefore });
	}
	const heap = await heapMegabytes(session);
	const of = (part: keyof Round) => seen.map((round) => round[part]);
	const [rows, task] = [of("rowMs"), Math.max(...of("taskMs"))];
	const isMet = median(rows) < rowMsMax && heap < heapMax;
	console.log(
		`| ${[
			name,
			`${shown(median(rows))} (${shown(Math.max(...rows))})`,
			shown(median(of("serverMs"))),
			shown(median(of("pageMs"))),
			task === 0 ? "< 50 ms" : shown(task),
			`${heap.toFixed(0)} MB`,
			isMet ? "yes" : "**no**",
		].join(" | ")} |`,
	);
}

async function measureGraph(page: Page, session: CDPSession): Promise<void> {
	await page.goto(`${server.address}/#/graph?container=${graphed}`);
	await page.locator('.graph-place[data-drawn="true"] canvas').first().waitFor();
	const heading = await page.locator("#graph").textContent();
	const moving = await framesWhileDragging(page);
	// The layout moves nodes for six seconds.
	await Bun.sleep(7_000);
	const lying = await framesWhileDragging(page);
	const heap = await heapMegabytes(session);
	const words = (of: typeof moving) => `${of.perSecond.toFixed(0)} frames a second (slowest ${shown(of.slowestMs)})`;
	console.log(`\n${heading}, dragged without a GPU: ${words(lying)}; while the layout runs: ${words(moving)}; heap ${heap.toFixed(0)} MB`);
}
