/** The vault opens what it sealed, for the same purpose, with the same key, unchanged. */

import { expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storedSecret } from "../../../server/auth/stored-secret.ts";
import { createVault } from "../../../server/auth/vault.ts";

const vault = createVault(new Uint8Array(32).fill(7));

test("opens what it sealed; twice the same is not the same twice", () => {
	const [one, two] = [vault.seal("Grüße, whsec_1", "a"), vault.seal("Grüße, whsec_1", "a")];
	expect([vault.open(one, "a"), vault.open(two, "a")]).toEqual(["Grüße, whsec_1", "Grüße, whsec_1"]);
	expect(one).not.toBe(two);
	expect(one).not.toContain("whsec");
});

test("opens nothing else", () => {
	const sealed = vault.seal("secret", "a");
	expect(vault.open(sealed, "b")).toBeNull();
	expect(createVault(new Uint8Array(32)).open(sealed, "a")).toBeNull();
	for (let i = 0; i < sealed.length; i++) {
		const spoiled = `${sealed.slice(0, i)}${sealed[i] === "A" ? "B" : "A"}${sealed.slice(i + 1)}`;
		// Of the last character some bits mean nothing.
		if (Buffer.from(spoiled, "base64url").equals(Buffer.from(sealed, "base64url"))) continue;
		expect(vault.open(spoiled, "a")).toBeNull();
	}
	for (const nothing of ["", "A", "AAAA", sealed.slice(0, 20)]) expect(vault.open(nothing, "a")).toBeNull();
});

test("a kept secret stays the same, and is its user's alone", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-secret-"));
	try {
		const [first, second, other] = [await storedSecret(folder, "one"), await storedSecret(folder, "one"), await storedSecret(folder, "two")];
		expect([first.length, Buffer.from(second).equals(first), Buffer.from(other).equals(first)]).toEqual([32, true, false]);
		expect((await stat(join(folder, "one"))).mode & 0o777).toBe(0o600);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
