/** Signs in to a connector whose peer agrees at once, as a person at a browser would. */

import type { Connector, Step } from "cairn-memory";
import { createStep } from "./step.ts";

export const redirectUri = "http://127.0.0.1:6767/v3/connections/auth/callback/test";
export const attempt = { redirectUri, state: "state-of-the-test", verifier: "v".repeat(43), accountHint: null };

export function signInOf({ signIn }: Connector): NonNullable<Connector["signIn"]> {
	if (signIn === undefined) throw new Error("it has no sign-in");
	return signIn;
}

/** What the browser comes back with. */
export async function callbackOf(connector: Connector, more: Partial<typeof attempt> = {}): Promise<URLSearchParams> {
	const response = await fetch(await signInOf(connector).begin({ ...attempt, ...more }), { redirect: "manual" });
	return new URL(response.headers.get("location") ?? "").searchParams;
}

/** Signs in. @returns access tokens, refreshed when they are refused */
export async function signIn(connector: Connector): Promise<NonNullable<Step["accessToken"]>> {
	let { credentials } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
	return async (refused) => {
		if (credentials.accessToken === refused) credentials = await signInOf(connector).refresh(credentials, createStep());
		return credentials.accessToken;
	};
}
