/** Signing in with an API key. A key that was kept is tried at once. */

import { useEffect, useRef, useState } from "react";
import { Button, Form } from "react-aria-components";
import { asProblem, createApi } from "../api/client.ts";
import type { Session } from "../api/wire.ts";
import { Field, Tick } from "../parts/fields.tsx";
import { Mark } from "../parts/mark.tsx";
import { sentence } from "../parts/messages.tsx";
import { dropKey } from "../session.ts";

interface SignInProps {
	readonly kept: string | null;
	/** The server has stopped accepting the key that was used. */
	readonly wasRefused: boolean;
	/** @param isLasting null for a key that is kept already */
	readonly onSignIn: (key: string, session: Session, isLasting: boolean | null) => void;
}

const refusedWords = "The server no longer accepts this key: it was revoked, turned off, or has expired.";

export function SignInPage({ kept, wasRefused, onSignIn }: SignInProps) {
	const [key, setKey] = useState("");
	const [isLasting, setLasting] = useState(false);
	const [problem, setProblem] = useState<string | null>(wasRefused ? refusedWords : null);
	const [isTrying, setTrying] = useState(kept !== null);
	const tryKey = async (wanted: string, keeping: boolean | null) => {
		setTrying(true);
		try {
			const session = await createApi(wanted, () => undefined).ask<Session>("GET", "/v3/session");
			onSignIn(wanted, session, keeping);
		} catch (thrown) {
			const { status, message, remedy } = asProblem(thrown);
			if (status === 401) dropKey();
			setProblem(status === 401 ? "This server does not know that key." : [message, remedy ?? ""].filter(Boolean).map(sentence).join(" "));
			setTrying(false);
		}
	};
	const latest = useRef(tryKey);
	latest.current = tryKey;
	useEffect(() => {
		document.title = "Sign in – Cairn";
		if (kept !== null) void latest.current(kept, null);
	}, [kept]);
	return (
		<main className="sign-in">
			<h1>
				<Mark />
				Cairn
			</h1>
			<Form
				onSubmit={(event) => {
					event.preventDefault();
					if (key.trim() === "") setProblem("Enter your API key.");
					else void tryKey(key.trim(), isLasting);
				}}
			>
				<Field
					label="API key"
					type="password"
					autoComplete="current-password"
					autoFocus
					value={key}
					onChange={setKey}
					problem={problem}
					description="The server printed it when it first started. It begins with sm_, unless CAIRN_API_KEY names one of your own."
				/>
				<Tick isSelected={isLasting} onChange={setLasting}>
					Stay signed in on this browser
				</Tick>
				<Button type="submit" className="button filled" isDisabled={isTrying}>
					{isTrying ? "Signing in…" : "Sign in"}
				</Button>
			</Form>
		</main>
	);
}
