import { expect, test } from "bun:test";
import { fail } from "cairn-memory";
import { hasPgvector } from "../../../../plugins/stores/postgres/indexes/pgvector.ts";

test("only a server that answers is said to lack pgvector", async () => {
	const told = async (thrown: Error) => {
		const messages: string[] = [];
		const transaction = () => Promise.reject(thrown);
		expect(await hasPgvector({ transaction }, (_level, message) => void messages.push(message))).toBe(false);
		return messages;
	};
	expect(await told(fail("STORAGE_UNREACHABLE", "connection refused"))).toEqual([]);
	expect(await told(new Error("permission denied to create extension"))).toEqual([
		"the extension vector could not be created",
		"this PostgreSQL has no index of vectors",
	]);
});
