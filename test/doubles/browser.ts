/** A headless Chromium that asks nothing of its maker, for tests of pages. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";

/** Every browser of this family will do; null where there is none, and nothing to look with. */
export const browserPath = ["chromium", "chromium-browser", "google-chrome"].map((name) => Bun.which(name)).find((path) => path !== null) ?? null;

const quietFlags = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

/** Why tests are left out, for their report. */
export function sayWithoutBrowser(): void {
	if (browserPath === null) console.warn("no Chromium or Chrome is installed: what only a browser shows was not tested");
}

type Look = Pick<NonNullable<Parameters<typeof chromium.launchPersistentContext>[1]>, "viewport" | "colorScheme">;

/** A browser of its own, with a profile that is gone afterwards. */
export async function openBrowser(look: Look): Promise<{ readonly context: BrowserContext; readonly close: () => Promise<void> }> {
	const profile = await mkdtemp(join(tmpdir(), "cairn-browser-"));
	const context = await chromium.launchPersistentContext(profile, { executablePath: browserPath ?? "", headless: true, args: quietFlags, ...look });
	return {
		context,
		close: async () => {
			await context.close();
			await rm(profile, { recursive: true, force: true });
		},
	};
}

/** What axe finds on the page as it stands that is serious or worse. */
export async function seriousFaultsOf(page: Page): Promise<readonly string[]> {
	await page.evaluate(await Bun.file(new URL(import.meta.resolve("axe-core/axe.min.js"))).text());
	return page.evaluate(seriousFaults);
}

/** Runs in the page, where axe is. */
async function seriousFaults(): Promise<readonly string[]> {
	interface Fault {
		readonly id: string;
		readonly impact: string;
		readonly nodes: readonly { readonly html: string }[];
	}
	const { axe } = window as unknown as { readonly axe: { readonly run: (place: Document) => Promise<{ readonly violations: readonly Fault[] }> } };
	const { violations } = await axe.run(document);
	return violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
