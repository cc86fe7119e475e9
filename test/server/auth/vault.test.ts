/** The vault opens what it sealed, for the same purpose, with the same key, unchanged. */

import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secretNamed, storedSecret } from "../../../server/auth/stored-secret.ts";
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

test("servers with one secret of the operator make the same secrets of it, and none in their folders", async () => {
	const folders = [await mkdtemp(join(tmpdir(), "cairn-secret-")), await mkdtemp(join(tmpdir(), "cairn-secret-"))];
	try {
		const secretsOf = async (secret: string | null) =>
			Promise.all(folders.map(async (dataDir) => Buffer.from(await secretNamed("vault-key", { dataDir, secret })).toString("hex")));
		const [first, second] = await secretsOf("a secret of the operator");
		expect(first).toHaveLength(64);
		expect(second).toBe(first ?? "");
		expect(await secretsOf("another secret")).not.toContain(first);
		expect(Buffer.from(await secretNamed("link-secret", { dataDir: folders[0] ?? "", secret: "a secret of the operator" })).toString("hex")).not.toBe(first);
		for (const folder of folders) expect(await readdir(folder)).toEqual([]);
		expect(new Set(await secretsOf(null)).size).toBe(2);
	} finally {
		for (const folder of folders) await rm(folder, { recursive: true, force: true });
	}
});

test("of servers that start at once on one folder all get the first one's secret", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-secret-"));
	try {
		const secrets = await Promise.all(Array.from({ length: 8 }, () => storedSecret(folder, "one")));
		expect(new Set(secrets.map((secret) => Buffer.from(secret).toString("hex"))).size).toBe(1);
		expect(await readdir(folder)).toEqual(["one"]);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
