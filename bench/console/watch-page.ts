/** What the page itself can tell: how long it took from an act until its first row was drawn, and how long its longest task was. */

import type { CDPSession, Page } from "playwright-core";

export interface Seen {
	/** From the act until the first row was painted. */
	readonly rowMs: number;
	/** The longest task of the page's thread in that time; 0 when none took 50 ms. */
	readonly taskMs: number;
}

declare global {
	interface Window {
		longTasks: number[];
	}
}

/** Before the page's own scripts. */
export async function watchTasks(page: Page): Promise<void> {
	await page.addInitScript(() => {
		window.longTasks = [];
		new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
			type: "longtask",
			buffered: true,
		});
	});
}

export interface Step {
	/** An address after `#` that is gone to, */
	readonly hash?: string;
	/** or an element that is clicked on. */
	readonly click?: string;
	/** Where the first row appears. One that was there before does not count. */
	readonly row: string;
}

/** Measured within the page, so that the driver's own way there and back does not count. */
export function timed(page: Page, step: Step): Promise<Seen> {
	return page.evaluate(async ({ hash, click, row }) => {
		const patienceMs = 30_000;
		const before = new Set(document.querySelectorAll(row));
		window.longTasks = [];
		const began = performance.now();
		if (hash !== undefined) location.hash = hash;
		if (click !== undefined) document.querySelector<HTMLElement>(click)?.click();
		const isNew = () => [...document.querySelectorAll(row)].some((each) => !before.has(each));
		await new Promise<void>((done, fail) => {
			const look = () => {
				if (isNew()) return done();
				if (performance.now() - began > patienceMs) return fail(new Error(`no row for ${hash ?? click}`));
				requestAnimationFrame(look);
			};
			requestAnimationFrame(look);
		});
		// The frame in which it was found is painted before the next one begins.
		await new Promise(requestAnimationFrame);
		const rowMs = performance.now() - began;
		await new Promise((done) => setTimeout(done, 150));
		return { rowMs, taskMs: Math.max(0, ...window.longTasks) };
	}, step);
}

/** Processor time in milliseconds of the page's main thread so far. `Performance.enable` has to have been sent with `threadTicks`. */
export async function pageCpuMs(session: CDPSession): Promise<number> {
	const { metrics } = await session.send("Performance.getMetrics");
	return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

/** Processor time in milliseconds of a process so far, all of its threads, in steps of ten. */
export async function processCpuMs(pid: number): Promise<number> {
	const fields = (await Bun.file(`/proc/${pid}/stat`).text()).replace(/^.*\) /, "").split(" ");
	const [userTicks = 0, systemTicks = 0] = fields.slice(11, 13).map(Number);
	return (userTicks + systemTicks) * 10;
}

/** JavaScript heap after the garbage was collected. */
export async function heapMegabytes(session: CDPSession): Promise<number> {
	await session.send("HeapProfiler.collectGarbage");
	const { usedSize } = await session.send("Runtime.getHeapUsage");
	return usedSize / 1e6;
}

/** Frames a second while a graph is dragged about for two seconds. */
export async function framesWhileDragging(page: Page): Promise<{ readonly perSecond: number; readonly slowestMs: number }> {
	const { x, y, width, height } = (await page.locator(".graph-place").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
	const counting = page.evaluate(
		() =>
			new Promise<readonly number[]>((done) => {
				const pauses: number[] = [];
				const ends = performance.now() + 2_000;
				let last = performance.now();
				const look = (now: number) => {
					pauses.push(now - last);
					last = now;
					if (now < ends) requestAnimationFrame(look);
					else done(pauses);
				};
				requestAnimationFrame(look);
			}),
	);
	let isDone = false;
	const pauses = counting.finally(() => {
		isDone = true;
	});
	await page.mouse.move(x + width / 2, y + height / 2);
	await page.mouse.down();
	for (let i = 0; !isDone; i++) await page.mouse.move(x + width / 2 + 80 * Math.sin(i / 10), y + height / 2 + 60 * Math.cos(i / 10));
	await page.mouse.up();
	const seen = await pauses;
	return { perSecond: seen.length / (seen.reduce((sum, ms) => sum + ms, 0) / 1_000), slowestMs: Math.max(...seen) };
}
