import { expect, test } from "bun:test";
import { fail } from "cairn-memory";
import { hasPgvector } from "../../../../plugins/stores/postgres/indexes/pgvector.ts";

function told(thrown: Error) {
	const messages: string[] = [];
	const asked = hasPgvector({ transaction: () => Promise.reject(thrown) }, (_level, message) => void messages.push(message));
	return { asked, messages };
}

test("a server that may not create pgvector goes without, and says so", async () => {
	const { asked, messages } = told(new Error("permission denied to create extension"));
	expect(await asked).toBe(false);
	expect(messages).toEqual(["the extension vector could not be created", "this PostgreSQL has no index of vectors"]);
});

test("where PostgreSQL does not answer the start ends: it does not go on without the index of vectors", async () => {
	const { asked, messages } = told(fail("STORAGE_UNREACHABLE", "connection refused"));
	expect(await asked.catch(({ code }) => code)).toBe("STORAGE_UNREACHABLE");
	expect(messages).toEqual([]);
});
