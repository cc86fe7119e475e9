/** A server that has met many organisations, most of them gone, holds no more than for some. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import { heldMegabytes } from "../../../doubles/held-memory.ts";
import { openSqlite } from "./open-sqlite.ts";

test("the stores of organisations that were met long ago are dropped", async () => {
	const { storage, dispose } = await openSqlite();
	try {
		await storage.migrate();
		const meet = (from: number, to: number) => {
			const before = heldMegabytes();
			for (let i = from; i < to; i++) storage.organisation(asId<OrganisationId>(`organisation${i}`.padEnd(22, "1")));
			return heldMegabytes() - before;
		};
		const forThousand = meet(0, 1_000);
		expect(meet(1_000, 6_000)).toBeLessThan(forThousand);
		expect(await storage.organisation(asId<OrganisationId>("organisation0".padEnd(22, "1"))).containers.list()).toEqual([]);
	} finally {
		await dispose();
	}
});
