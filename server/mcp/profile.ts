/** The profile of a space, static and dynamic, as lines for a prompt. */

import { z } from "zod";
import { defaultSpace, type ToolContext } from "./tool.ts";

const answer = z.object({ profile: z.object({ static: z.array(z.string()), dynamic: z.array(z.string()) }) });

export type Profile = z.output<typeof answer>["profile"];

export const profileShape = z.object({ static: z.array(z.string()), dynamic: z.array(z.string()) });

/** @param tag of the space; undefined for that of the connection */
export async function readProfile({ api, space }: ToolContext, tag?: string): Promise<Profile> {
	return answer.parse(await api.ask("POST", "/v4/profile", { containerTag: tag ?? space ?? defaultSpace })).profile;
}

/** @param most of either kind */
export function profileLines({ static: lasting, dynamic }: Profile, most: number): readonly string[] {
	const part = (title: string, facts: readonly string[]) => (facts.length === 0 ? [] : [title, ...facts.slice(0, most).map((fact) => `- ${fact}`)]);
	return [...part("Lasting facts:", lasting), ...part("Current facts:", dynamic)];
}
