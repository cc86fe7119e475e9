/** Admission: every check has its code and names the plugin. */

import { expect, test } from "bun:test";
import { type Calibration, definePlugin, type Provides } from "cairn-memory";
import { z } from "zod";
import { choose } from "../../../core/plugin/choose.ts";
import type { Plugin } from "../../../core/plugin/define-plugin.ts";
import { Registry } from "../../../core/plugin/registry.ts";
import { quietHost } from "../../contract/quiet-host.ts";

const provides = (name: string): Provides => ({ queryRewriter: [{ name, rewrite: async () => [] }] });
const plain = (name: string, overrides: Partial<Plugin> = {}): Plugin => ({
	...definePlugin({ name: `cairn-plugin-${name}`, contract: 1, options: z.strictObject({ size: z.number().default(3) }), start: () => provides(name) })(),
	...overrides,
});
/** As a plugin in JavaScript would have it. */
const embedding = (calibration: Partial<Calibration> | undefined) =>
	plain("a", {
		start: () => ({
			embedder: [
				{
					name: "acme",
					space: { name: "acme-1", dimensions: 2, metric: "cosine", calibration: calibration as Calibration },
					batchMax: 1,
					embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
				},
			],
		}),
	});
const offering = (offers: unknown) => plain("a", { start: () => offers as Provides });
const registry = () => new Registry((name) => name === "zod");
const admit = async (plugin: Plugin, into = registry()) => into.admit(plugin, quietHost());

const refusals: readonly [string, Plugin, string, RegExp][] = [
	["no plugin at all", { ...plain("a"), name: "" }, "PLUGIN_MALFORMED", /definePlugin/],
	["another contract", plain("a", { contract: 2 }), "CONTRACT_MISMATCH", /contract version 2.*version 1/],
	["an unknown option", plain("a", { rawOptions: { sise: 3 } }), "PLUGIN_OPTIONS_INVALID", /sise/],
	["a wrong option", plain("a", { rawOptions: { size: "big" } }), "PLUGIN_OPTIONS_INVALID", /size/],
	["a missing package", plain("a", { needs: { epub2: "^3" } }), "PLUGIN_NEEDS", /cairn-plugin-a.*epub2/],
	[
		"a start that throws",
		plain("a", {
			start: () => {
				throw new Error("no model");
			},
		}),
		"PLUGIN_UNLOADABLE",
		/no model/,
	],
	[
		"an embedder whose calibration has no weight",
		embedding({ unrelated: 0.1, related: 0.9 }),
		"PLUGIN_MALFORMED",
		/cairn-plugin-a.*embedder acme.*weight has to be a number/,
	],
	["an embedder whose calibration is NaN", embedding({ unrelated: Number.NaN, related: 0.9, weight: 1 }), "PLUGIN_MALFORMED", /acme.*finite/],
	["an embedder without a calibration", embedding(undefined), "PLUGIN_MALFORMED", /acme.*finite/],
	["a kind that is misspelt", offering({ extracter: [] }), "PLUGIN_MALFORMED", /cairn-plugin-a.*offers extracter, and the kinds are extractor, /],
	["a part that is in no list", offering({ reranker: { name: "acme" } }), "PLUGIN_MALFORMED", /offers as reranker is not a list/],
	["a start that returns nothing", offering(undefined), "PLUGIN_MALFORMED", /start does not return an object/],
	["an embedder without a space", offering({ embedder: [{ name: "acme" }] }), "PLUGIN_MALFORMED", /acme.*finite/],
	["a part without a name", plain("a", { start: () => provides("") }), "PLUGIN_MALFORMED", /queryRewriter/],
];
for (const [name, plugin, code, words] of refusals) {
	test(`refuses ${name}`, async () => {
		const thrown = await admit(plugin).catch((error: unknown) => error);
		expect(thrown).toMatchObject({ code });
		expect(String(thrown)).toMatch(words);
	});
}

test("refuses a name that is taken, and anything after it is frozen", async () => {
	const ours = registry();
	await admit(plain("a"), ours);
	await expect(admit(plain("a"), ours)).rejects.toMatchObject({ code: "PLUGIN_NAME_TAKEN" });
	ours.freeze();
	await expect(admit(plain("b"), ours)).rejects.toMatchObject({ code: "REGISTRY_FROZEN" });
	expect(() => ours.one("reranker", "nobody")).toThrow(/nobody \(with these settings there are: none\)/);
	expect(ours.one("queryRewriter", "a").name).toBe("a");
});

test("stops in the reverse order, one that fails included", async () => {
	const stopped: string[] = [];
	const ours = registry();
	for (const name of ["a", "b", "c"]) {
		await admit(
			plain(name, {
				start: () => ({
					...provides(name),
					stop: async () => {
						stopped.push(name);
						if (name === "b") throw new Error("stuck");
					},
				}),
			}),
			ours,
		);
	}
	await ours.stop();
	expect(stopped).toEqual(["c", "b", "a"]);
});

test("the most specific part is chosen, then the one that recognizes, then config order", () => {
	const part = (name: string, accepts: readonly `${string}/${string}`[], recognizes?: boolean) => ({
		name,
		accepts,
		...(recognizes === undefined ? {} : { recognizes: () => recognizes }),
	});
	const parts = [
		part("all", ["*/*"]),
		part("family", ["image/*"]),
		part("png", ["image/png"]),
		part("second png", ["image/png"]),
		part("not this png", ["image/png"], false),
		part("knows", ["text/x"], true),
		part("does not look", ["text/x"]),
	];
	const chosen = (type: `${string}/${string}`) => choose(parts, type, null)?.name;
	expect([chosen("image/png"), chosen("image/gif"), chosen("a/b"), chosen("text/x")]).toEqual(["png", "family", "all", "knows"]);
	expect(choose([part("png", ["image/png"])], "text/plain", null)).toBeNull();
});
