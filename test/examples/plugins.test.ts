/** The example plugins keep their own tests, and the example config is admitted as a whole. */

import { describe, expect, test } from "bun:test";
import { Registry } from "../../core/plugin/registry.ts";
import config from "../../examples/cairn.config.ts";
import { importPlugin, isInstalled } from "../../server/boot/import-plugin.ts";
import { quietHost } from "../contract/quiet-host.ts";

describe("hello-plugin", async () => void (await import("../../examples/hello-plugin/index.test.ts")));
describe("linkding-connector", async () => void (await import("../../examples/linkding-connector/index.test.ts")));
describe("node-sqlite-storage", async () => void (await import("../../examples/node-sqlite-storage/index.test.ts")));
describe("sqlite-vec-index", async () => void (await import("../../examples/sqlite-vec-index/index.test.ts")));
describe("tide-log-extractor", async () => void (await import("../../examples/tide-log-extractor/index.test.ts")));
describe("vcard-extractor", async () => void (await import("../../examples/vcard-extractor/index.test.ts")));

test("the example config is admitted, with what it offers", async () => {
	const registry = new Registry(isInstalled);
	for (const entry of config.plugins ?? []) await registry.admit(await importPlugin(entry, []), quietHost());
	expect(registry.list()).toEqual([
		{ plugin: "cairn-plugin-rewrite-house-words", kind: "queryRewriter", name: "house-words" },
		{ plugin: "cairn-plugin-extract-vcard", kind: "extractor", name: "vcard" },
	]);
});
