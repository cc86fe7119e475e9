/** An address is refused before it is stored if its name leads inside; what nobody can say yet is left to the moment of the request. */

import { expect, test } from "bun:test";
import { createReachableAddress } from "../../../../server/boot/network/reachable-address.ts";

type Resolve = (host: string) => Promise<readonly string[]>;

async function answer(address: string, resolve: Resolve, allow: readonly string[] = []): Promise<string | null> {
	return createReachableAddress({ allow, resolve })(address).then(
		() => null,
		(thrown: { readonly code: string }) => thrown.code,
	);
}

const leadsTo =
	(...addresses: readonly string[]) =>
	async () =>
		addresses;

test("a name that leads to a private address, alone or among public ones", async () => {
	expect(await answer("https://hooks.example/x", leadsTo("10.1.2.3"))).toBe("ADDRESS_BLOCKED");
	expect(await answer("https://hooks.example/x", leadsTo("93.184.216.34", "127.0.0.1"))).toBe("ADDRESS_BLOCKED");
	expect(await answer("https://hooks.example/x", leadsTo("93.184.216.34"))).toBeNull();
	expect(await answer("https://hooks.example/x", leadsTo("169.254.169.254"))).toBe("ADDRESS_BLOCKED");
});

test("a host that the operator allows, and a name that nobody knows", async () => {
	expect(await answer("http://wiki.internal:9000/x", leadsTo("10.1.2.3"), ["wiki.internal:9000"])).toBeNull();
	expect(await answer("https://not-there-yet.example/x", () => Promise.reject(new Error("ENOTFOUND")))).toBeNull();
	expect(await answer("https://not-there-yet.example/x", leadsTo())).toBeNull();
});

test("a resolver that never answers is not waited for", async () => {
	expect(await answer("https://slow.example/x", () => new Promise(() => undefined))).toBeNull();
}, 10_000);
