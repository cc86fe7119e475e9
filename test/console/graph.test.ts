/** The graph in a browser: drawn in WebGL, walked by keyboard in the list beside it, smooth with five thousand nodes. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browserPath, sayWithoutBrowser } from "../doubles/browser.ts";
import { ask, expectAccessible, narrow, openConsole, patienceMs, signInWith, tabTo, wide } from "../doubles/console.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const many = 5_000;
/** As much as the route of memories takes at once. */
const perRequest = 100;

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let server: ServerProcess;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "cairn-console-test-"));
		server = await startServerProcess(folder);
		const { memories } = await ask(server, "POST", "/v4/memories", { containerTag: "mara", memories: [{ content: "Mara lives in Ghent" }] });
		const [{ id }] = memories as readonly [{ readonly id: string }];
		await ask(server, "PATCH", "/v4/memories", { containerTag: "mara", id, newContent: "Mara lives in Porto" });
	}, patienceMs);
	afterAll(async () => {
		await server.kill("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	}, patienceMs);

	async function openGraph(page: Page, container: string): Promise<void> {
		await signInWith(page, server);
		await page.goto(`${server.address}/#/graph?container=${container}`);
		await page.locator('.graph-place[data-drawn="true"] canvas').first().waitFor();
	}

	test(
		"the picture is loaded on its page alone, and the list is walked along the edges by keyboard",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				const parts: string[] = [];
				page.on("request", (request) => parts.push(...(/\/console\/.*\.js$/.test(request.url()) ? [request.url()] : [])));
				await page.reload();
				await page.getByLabel("API key").waitFor();
				const before = parts.length;
				await openGraph(page, "mara");
				expect(parts.length).toBeGreaterThan(before);
				// The layout has a thread of its own, which the policy of the page lets load its script.
				await until(() => parts.some((address) => address.includes("/layout-worker-")));
				await tabTo(page, "Mara lives in Porto");
				await page.keyboard.press("Enter");
				const picked = page.locator(".picked-node");
				await picked.getByText("takes the place of").waitFor();
				await until(() => picked.evaluate((place) => place === document.activeElement));
				await page.keyboard.press("Tab");
				await page.keyboard.press("Enter");
				await page.getByRole("region", { name: "Mara lives in Ghent" }).getByText("was replaced by").waitFor();
				await page.getByText("With the sources").click();
				await page.getByText("a source").first().waitFor();
			}),
		patienceMs,
	);

	test(
		"going back in time shows the graph of an earlier day",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await openGraph(page, "mara");
				const slider = page.getByRole("slider", { name: "Go back in time" });
				await slider.press("Home");
				await page.getByText("Nothing was known of this container then.").waitFor();
				await slider.press("End");
				await page.getByRole("button", { name: "Mara lives in Porto" }).waitFor();
			}),
		patienceMs,
	);

	for (const colorScheme of ["light", "dark"] as const)
		test(
			`axe finds nothing serious, ${colorScheme}, on a phone`,
			() =>
				openConsole(server, { viewport: narrow, colorScheme }, async (page) => {
					await openGraph(page, "mara");
					await page.getByRole("button", { name: "Mara lives in Porto" }).click();
					await page.locator(".picked-node").waitFor();
					await expectAccessible(page, "graph");
				}),
			patienceMs,
		);

	test(
		"five thousand nodes are listed before all of them are read, then drawn, and the page answers while they are moved",
		async () => {
			for (let at = 0; at < many; at += perRequest) {
				const memories = Array.from({ length: perRequest }, (_, i) => ({ content: `Box ${at + i} stands on shelf ${(at + i) % 97}` }));
				await ask(server, "POST", "/v4/memories", { containerTag: "boxes", memories });
			}
			await openConsole(server, { viewport: wide }, async (page) => {
				const rowsSeen = Promise.withResolvers<void>();
				await page.route(/\/v4\/graph\?.*cursor=/, async (route) => {
					await rowsSeen.promise;
					await route.continue();
				});
				await signInWith(page, server);
				await page.goto(`${server.address}/#/graph?container=boxes`);
				await page.getByRole("list", { name: "Nodes" }).getByRole("listitem").first().waitFor();
				await page.getByText("The others are being read…").waitFor();
				rowsSeen.resolve();
				await page.locator('.graph-place[data-drawn="true"] canvas').first().waitFor();
				await page.getByRole("heading", { name: /^5,\d\d\d nodes|^5,000 nodes/ }).waitFor();
				/** How long a person would wait for an answer to a key, at worst, while the layout runs. */
				const pauses = await page.evaluate(
					() =>
						new Promise<readonly number[]>((done) => {
							const seen: number[] = [];
							let last = performance.now();
							const look = (now: number) => {
								seen.push(now - last);
								last = now;
								if (seen.length < 60) requestAnimationFrame(look);
								else done(seen.toSorted((a, b) => a - b));
							};
							requestAnimationFrame(look);
						}),
				);
				console.info(`5,000 nodes: a frame every ${Math.round(pauses[30] ?? 0)} ms, the slowest ${Math.round(pauses.at(-1) ?? 0)} ms`);
				expect(pauses[30]).toBeLessThan(500);
				await page.getByLabel("Find in the graph").fill("Box 4711 ");
				await until(async () => (await page.getByRole("list", { name: "Nodes" }).getByRole("listitem").count()) === 1);
			});
		},
		patienceMs,
	);
});
