/** The profile of a space, static and dynamic, as lines for a prompt. */

import { z } from "zod";
import { defaultSpace, type ToolContext } from "./tool.ts";

const profileResponse = z.object({ profile: z.object({ static: z.array(z.string()), dynamic: z.array(z.string()) }) });

export type Profile = z.output<typeof profileResponse>["profile"];

export const profileSchema = z.object({ static: z.array(z.string()), dynamic: z.array(z.string()) });

/** @param tag the space; by default that of the connection */
export async function readProfile({ api, space }: ToolContext, tag?: string): Promise<Profile> {
	return profileResponse.parse(await api.ask("POST", "/v4/profile", { containerTag: tag ?? space ?? defaultSpace })).profile;
}

/** @param max the most facts of either kind */
export function profileLines({ static: staticFacts, dynamic }: Profile, max: number): readonly string[] {
	const section = (title: string, facts: readonly string[]) => (facts.length === 0 ? [] : [title, ...facts.slice(0, max).map((fact) => `- ${fact}`)]);
	return [...section("Lasting facts:", staticFacts), ...section("Current facts:", dynamic)];
}
