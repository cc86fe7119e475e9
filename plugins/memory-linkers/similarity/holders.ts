/** Finds who leads, owns or is responsible for something. Such a post has one holder at a time, and a new holder replaces the old one. */

import { createGuard } from "./guards.ts";

export interface Holding {
	/** The kind of post, such as `lead`. */
	readonly post: string;
	/** What the post is for. */
	readonly thing: string;
	readonly holder: string;
}

const active: readonly (readonly [post: string, pattern: RegExp])[] = [
	["lead", /^(.+?) (?:now |currently )?(?:leads|heads|runs|manages|coordinates) (the .+|project .+)$/],
	["own", /^(.+?) (?:now |currently )?owns (the .+)$/],
	["maintain", /^(.+?) (?:now |currently )?(?:maintains|looks after|handles|takes care of) (the .+)$/],
	["answer for", /^(.+?) is (?:now |currently )?(?:responsible for|in charge of) (.+)$/],
	["take over", /^(.+?) (?:will take|takes|took) over (.+)$/],
	[
		"office",
		/^(.+?) is (?:now )?the (?:new )?((?:keeper|head|leader|chair(?:man|woman|person)?|president|director|captain|mayor|owner|manager|treasurer|secretary|editor|maintainer|administrator|principal|organi[sz]er|caretaker|supervisor|coach|conductor) of .+)$/,
	],
	["post", /^(.+?) (?:is (?:now )?|became |was elected )(?:the )?((?:treasurer|chair|president|director|captain|mayor|ceo|cto|head of .+|chair of .+))$/],
];
const passive: readonly (readonly [post: string, pattern: RegExp])[] = [
	["lead", /^(.+?) is (?:now |currently )?(?:led|headed|run|managed|coordinated) by (.+)$/],
	["own", /^(.+?) is (?:now |currently )?owned by (.+)$/],
	["maintain", /^(.+?) is (?:now |currently )?(?:maintained|handled) by (.+)$/],
];

/** Each pattern needs one of these. */
const anyHolding =
	/leads|heads|run|manage|coordinate|owns|owned|led|headed|maintain|looks|handle|takes|over|responsible|charge|^of$|treasurer|chair|president|director|captain|mayor|ceo|cto/;
const mayHold = createGuard((word) => anyHolding.test(word));

export function holdingOf(plain: string): Holding | null {
	if (!mayHold(plain)) return null;
	const text = plain.replace(/ (?:now|currently|from now on)$/, "");
	for (const [post, pattern] of active) {
		const [, holder, thing] = pattern.exec(text) ?? [];
		if (holder !== undefined && thing !== undefined) return { post, thing, holder };
	}
	for (const [post, pattern] of passive) {
		const [, thing, holder] = pattern.exec(text) ?? [];
		if (holder !== undefined && thing !== undefined) return { post, thing, holder };
	}
	return null;
}
