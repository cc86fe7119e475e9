/**
 * Makes the moving picture of the console in the README: files are dropped, read, searched, and a hit is opened. Everything in it happens on a
 * server of its own; a pointer is drawn, since a headless browser shows none. `bun scripts/film-console.ts [FOLDER]` also keeps every picture.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium, type Locator, type Page } from "playwright-core";
import { createLog } from "../server/boot/log.ts";
import { startServer } from "../server/boot/start-server.ts";
import { createWorld } from "../server/boot/world.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { animatedWebp, type Frame } from "./animated-webp.ts";

const examples = resolve(import.meta.dir, "../examples/documents");
const film = resolve(import.meta.dir, "../docs/images/console.webp");
const dropped = ["handbook.pdf", "prices.csv", "notes.md"];
const question = "torque for pedals in newton metres";
const stepMs = 120;
const browserPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Without these Chromium itself asks its maker for updates. */
const quietFlags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"];

const frames: Frame[] = [];
let pointer = { x: 760, y: 560 };

const folder = await mkdtemp(join(tmpdir(), "cairn-film-"));
const settings = readSettings({ env: {}, flags: ["--port=0", `--data-dir=${folder}`, "--log-level=error"] });
const server = await startServer(settings, {}, createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) }));
const browser = await chromium.launch({ executablePath: browserPath, args: quietFlags });
try {
	const page = await browser.newPage({ viewport: { width: 960, height: 600 }, colorScheme: "light" });
	await page.goto(server.url);
	await page.getByLabel("API key").fill(server.newKey ?? "");
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("heading", { name: "Add the first document" }).waitFor();
	await drawPointer(page);
	await show(page, 1_000);
	await dropFiles(page);
	await watchThemFinish(page);
	await search(page);
	await openHit(page);
	const bytes = await animatedWebp(frames);
	await Bun.write(film, bytes);
	if (Bun.argv[2] !== undefined) for (const [i, { png }] of frames.entries()) await Bun.write(join(Bun.argv[2], `${String(i).padStart(3, "0")}.png`), png);
	const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
	console.log(`${film}: ${frames.length} pictures, ${seconds.toFixed(0)} s, ${bytes.length} bytes`);
} finally {
	await browser.close();
	await server.stop();
	await rm(folder, { recursive: true, force: true });
}

async function dropFiles(page: Page): Promise<void> {
	const zone = await middleOf(page.locator(".drop-zone"));
	await label(page, `${dropped.length} files`);
	const session = await page.context().newCDPSession(page);
	const data = { items: [], files: dropped.map((name) => join(examples, name)), dragOperationsMask: 1 };
	const drag = (type: "dragEnter" | "dragOver" | "drop") => session.send("Input.dispatchDragEvent", { type, ...pointer, data });
	await moveTo(page, zone, async (i) => {
		if (i === 5) await drag("dragEnter");
		if (i > 5) await drag("dragOver");
	});
	await drag("drop");
	await label(page, "");
	await session.detach();
}

/** As long as it takes: these pictures last as long as what they show. */
async function watchThemFinish(page: Page): Promise<void> {
	const finished = page.getByText(`${dropped.length} of ${dropped.length} finished`);
	for (let last = performance.now(); !(await finished.isVisible()); last = performance.now()) {
		await Bun.sleep(100);
		await show(page, performance.now() - last + stepMs);
	}
	await page.getByRole("heading", { name: "Newest documents" }).waitFor();
	await show(page, 1_600);
}

async function search(page: Page): Promise<void> {
	await click(page, page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Search" }));
	await page.getByLabel("Query").waitFor();
	await click(page, page.getByLabel("Query"));
	for (const [i, letter] of [...question].entries()) {
		await page.keyboard.type(letter);
		if (i % 2 === 0) await show(page, 2 * stepMs);
	}
	await page.keyboard.press("Enter");
	await page.locator(".hit").first().waitFor();
	await page.locator(".passage").first().waitFor();
	await show(page, 2_400);
}

async function openHit(page: Page): Promise<void> {
	await click(page, page.locator(".hit a").first());
	await page.locator(".chunk.wanted").waitFor();
	await show(page, 3_500);
}

async function click(page: Page, target: Locator): Promise<void> {
	await moveTo(page, await middleOf(target));
	await show(page, 200);
	await target.click();
}

async function middleOf(target: Locator): Promise<{ readonly x: number; readonly y: number }> {
	const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
	return { x: x + Math.min(width / 2, 120), y: y + Math.min(height / 2, 40) };
}

async function moveTo(page: Page, target: { readonly x: number; readonly y: number }, onStep: (i: number) => Promise<void> = async () => {}): Promise<void> {
	const from = pointer;
	const steps = 10;
	for (let i = 1; i <= steps; i++) {
		const part = 0.5 - Math.cos((Math.PI * i) / steps) / 2;
		pointer = { x: from.x + (target.x - from.x) * part, y: from.y + (target.y - from.y) * part };
		await page.mouse.move(pointer.x, pointer.y);
		await onStep(i);
		await show(page, stepMs);
	}
}

async function show(page: Page, ms: number): Promise<void> {
	await page.evaluate(({ x, y }) => {
		const drawn = document.getElementById("pointer");
		if (drawn !== null) drawn.style.transform = `translate(${x}px, ${y}px)`;
	}, pointer);
	frames.push({ png: await page.screenshot({ caret: "initial" }), ms });
}

/** The page's policy forbids style elements and attributes in markup; what a script sets on an element it allows. */
async function drawPointer(page: Page): Promise<void> {
	await page.evaluate(() => {
		const svg = "http://www.w3.org/2000/svg";
		const place = document.createElement("div");
		place.id = "pointer";
		Object.assign(place.style, { position: "fixed", left: "0", top: "0", zIndex: "9999", pointerEvents: "none", display: "flex" });
		const arrow = document.createElementNS(svg, "svg");
		arrow.setAttribute("width", "20");
		arrow.setAttribute("height", "24");
		const path = document.createElementNS(svg, "path");
		path.setAttribute("d", "M1 1v18l5-4 3 7 3-1-3-7 7-1z");
		path.setAttribute("fill", "#1d2320");
		path.setAttribute("stroke", "#ffffff");
		arrow.append(path);
		const words = document.createElement("span");
		Object.assign(words.style, {
			marginTop: "18px",
			padding: "2px 8px",
			borderRadius: "6px",
			background: "#1d2320",
			color: "#ffffff",
			font: "600 13px system-ui",
			visibility: "hidden",
		});
		place.append(arrow, words);
		document.documentElement.append(place);
	});
}

/** What the pointer carries; empty for nothing. */
async function label(page: Page, words: string): Promise<void> {
	await page.evaluate((text) => {
		const place = document.querySelector<HTMLElement>("#pointer span");
		if (place === null) return;
		place.textContent = text;
		place.style.visibility = text === "" ? "hidden" : "visible";
	}, words);
}
