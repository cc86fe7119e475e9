/** The web console in a browser, held to its promises: no other host is asked, and the browser has nothing to complain of. */

import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { openBrowser, seriousFaultsOf } from "./browser.ts";
import type { ServerProcess } from "./server-process.ts";

export const patienceMs = 300_000;
export const wide = { width: 1280, height: 800 };
export const narrow = { width: 390, height: 844 };

// A wrong key and a wrong form are answered 401 and 400, which Chromium always writes down, as it does that WebGL without a GPU is slow.
const usualComplaints = /status of 40[01]|GL Driver Message/;

interface Allowed {
	/** Where somebody is sent to sign in. */
	readonly elsewhere?: string;
	/** Complaints that the act brings about. */
	readonly expected?: RegExp;
}

/** Opens the console, does what is asked, and holds the page to its promises. */
export async function openConsole(
	server: ServerProcess,
	look: Parameters<typeof openBrowser>[0],
	act: (page: Page) => Promise<void>,
	{ elsewhere = server.address, expected = usualComplaints }: Allowed = {},
): Promise<void> {
	const { context, close } = await openBrowser(look);
	try {
		const page = await context.newPage();
		const asked: string[] = [];
		const complaints: string[] = [];
		page.on("request", (request) => asked.push(request.url()));
		page.on("console", (message) => complaints.push(...(["error", "warning"].includes(message.type()) ? [message.text()] : [])));
		page.on("pageerror", (error) => complaints.push(String(error)));
		await page.goto(server.address);
		await act(page);
		const own = [`${server.address}/`, `${elsewhere}/`, "data:"];
		expect(asked.filter((address) => !own.some((beginning) => address.startsWith(beginning)))).toEqual([]);
		expect(asked.length).toBeGreaterThan(3);
		expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
	} finally {
		await close();
	}
}

export async function signInWith(page: Page, { key }: Pick<ServerProcess, "key">): Promise<void> {
	await page.getByLabel("API key").fill(key ?? "");
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("heading", { name: "Home" }).waitFor();
}

export function linkTo(page: Page, name: string) {
	return page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true });
}

/** Asks the API as a program does. */
export async function ask({ address, key }: ServerProcess, method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const response = await fetch(`${address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
	return (await response.json()) as Readonly<Record<string, unknown>>;
}

/** Nothing serious in the eyes of axe, and nothing wider than the screen. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
	expect(await seriousFaultsOf(page), where).toEqual([]);
	await expectNarrow(page, where);
}

export async function expectNarrow(page: Page, where: string): Promise<void> {
	expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${where} is wider than the screen`).toBe(
		true,
	);
}

/** Chooses an option of a list that opens. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
	await page.getByRole("button", { name: label }).click();
	await page.getByRole("option", { name: option, exact: true }).click();
}

/** Presses Tab until what has this name, or says this, has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
	const stopsMax = 80;
	const passed: string[] = [];
	for (let stop = 0; stop < stopsMax; stop++) {
		await page.keyboard.press("Tab");
		const reached = await page.evaluate(() => {
			const { activeElement } = document;
			const label =
				activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement
					? activeElement.labels?.[0]?.textContent
					: // biome-ignore lint/performance/useDomNodeTextContent: what is hidden on a screen of this width has no part in a name
						(activeElement as HTMLElement | null)?.innerText;
			return [label?.trim(), activeElement?.getAttribute("aria-label")];
		});
		if (reached.includes(name)) return;
		passed.push(String(reached[1] ?? reached[0]).slice(0, 60));
	}
	throw new Error(`${name} was not reached with ${stopsMax} tabs: ${passed.join(", ")}`);
}
