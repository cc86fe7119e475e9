/** The profile of the account that has signed in: its address, and where its history is now. */

import { fail } from "cairn-memory";
import { z } from "zod";
import type { GoogleApi } from "../google-api.ts";
import { provider } from "./config.ts";

const profileSchema = z.object({ emailAddress: z.string(), historyId: z.string() });

export async function readProfile(api: GoogleApi): Promise<z.infer<typeof profileSchema>> {
	const profile = await api.json("/profile", {}, profileSchema);
	if (profile === null) throw fail("CONNECTION_SOURCE_MISSING", provider, "the account has no mailbox");
	return profile;
}
