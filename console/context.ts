/** What every page of a signed-in person has at hand. */

import { createContext, useContext } from "react";
import type { Uploads } from "./adding/uploads.ts";
import type { Api } from "./api/client.ts";
import type { Events } from "./api/events.ts";
import type { Session } from "./api/wire.ts";

export interface Notice {
	readonly text: string;
	/** Takes back what the notice is about. */
	readonly undo?: () => Promise<void>;
}

export interface Console {
	readonly api: Api;
	readonly session: Session;
	readonly events: Events;
	readonly uploads: Uploads;
	readonly mayWrite: boolean;
	readonly mayAdminister: boolean;
	/** Whether it may decide about the whole server. */
	readonly mayOperate: boolean;
	readonly signOut: () => void;
	/** Said to a screen reader and shown until the next notice. */
	readonly say: (notice: Notice) => void;
}

export const ConsoleContext = createContext<Console | null>(null);

export function useConsole(): Console {
	const found = useContext(ConsoleContext);
	if (found === null) throw new Error("no one is signed in");
	return found;
}
