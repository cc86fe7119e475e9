/** What documents of GitHub say of where they come from: repository, author, day. */

import { z } from "zod";
import type { Repository } from "./repository.ts";

export const userSchema = z.object({ login: z.string() }).nullish();

export function originOf({ name, isPrivate }: Repository) {
	return { repository: name, visibility: isPrivate ? "private" : "public" };
}

/** GitHub shows an account that was deleted as `ghost`. */
export function nameOf(user: z.infer<typeof userSchema>): string {
	return user?.login ?? "ghost";
}

export function dayOf(time: string): string {
	return time.slice(0, 10);
}
