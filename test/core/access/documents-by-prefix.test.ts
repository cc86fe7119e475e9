/** Pages of documents by name, for a key with grants: foreign ones in between neither show nor shorten a page. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { Document } from "cairn-memory/stores";
import { authorize } from "../../../core/access/authorize.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples } from "../../contract/samples.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");

test("every page is as long as it can be, and holds only what is within", async () => {
	const storage = ramStorage();
	const samples = createSamples(1);
	for (let i = 0; i < 30; i++) {
		const document = samples.makeDocument({ organisation, customId: `p/${String(i).padStart(2, "0")}`, containerTags: i % 5 === 0 ? ["in", "out"] : ["out"] });
		await storage.organisation(organisation).documents.add(document, samples.makeJob(document));
	}
	const { documents } = authorize(storage, { organisation, role: "write", grants: [{ containerTag: "in", permission: "write" }] });
	const names: (string | null)[] = [];
	for (let last: Document | null = null; ; ) {
		const page: readonly Document[] = await documents.byPrefix("p/", last, 2);
		names.push(...page.map(({ customId }) => customId));
		for (const { containerTags } of page) expect(containerTags).toEqual(["in"]);
		last = page.at(-1) ?? null;
		if (page.length < 2) break;
	}
	expect(names).toEqual(["p/00", "p/05", "p/10", "p/15", "p/20", "p/25"]);
});
