/** The console: the sign-in, or the pages of a person who is signed in. */

import { useCallback, useMemo, useState } from "react";
import { createUploads } from "./adding/uploads.ts";
import { createApi } from "./api/client.ts";
import { createEvents } from "./api/events.ts";
import type { Session } from "./api/wire.ts";
import { type Console, ConsoleContext, type Notice, useConsole } from "./context.ts";
import { Frame } from "./frame.tsx";
import { AccessPage } from "./pages/access.tsx";
import { ChatPage } from "./pages/chat.tsx";
import { DocumentPage } from "./pages/document.tsx";
import { DocumentsPage } from "./pages/documents.tsx";
import { GraphPage } from "./pages/graph.tsx";
import { HomePage } from "./pages/home.tsx";
import { MemoriesPage } from "./pages/memories.tsx";
import { MissingPage } from "./pages/missing.tsx";
import { OrganisationPage } from "./pages/organisation.tsx";
import { SearchPage } from "./pages/search.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { FaultBoundary } from "./parts/fault-boundary.tsx";
import { NoticeBar } from "./parts/notice-bar.tsx";
import { useRoute } from "./route.ts";
import { dropKey, keepKey, keptKey } from "./session.ts";

interface SignedIn {
	readonly secret: string;
	readonly session: Session;
}

export function App() {
	const [signedIn, setSignedIn] = useState<SignedIn | null>(null);
	const [wasRefused, setRefused] = useState(false);
	const leave = useCallback((isRefused: boolean) => {
		dropKey();
		setRefused(isRefused);
		setSignedIn(null);
	}, []);
	if (signedIn !== null) return <SignedInPages {...signedIn} leave={leave} />;
	return (
		<SignInPage
			kept={keptKey()}
			wasRefused={wasRefused}
			onSignIn={(secret, session, isLasting) => {
				if (isLasting !== null) keepKey(secret, isLasting);
				setSignedIn({ secret, session });
			}}
		/>
	);
}

function SignedInPages({ secret, session, leave }: SignedIn & { readonly leave: (isRefused: boolean) => void }) {
	const [notice, setNotice] = useState<Notice | null>(null);
	const api = useMemo(() => createApi(secret, () => leave(true)), [secret, leave]);
	const events = useMemo(() => createEvents(api), [api]);
	const uploads = useMemo(() => createUploads(api, events), [api, events]);
	const { permission } = session.scope;
	const { path } = useRoute();
	const value: Console = {
		api,
		session,
		events,
		uploads,
		mayWrite: permission !== "read",
		mayAdminister: permission === "admin",
		mayOperate: session.operator,
		signOut: () => leave(false),
		say: setNotice,
	};
	return (
		<ConsoleContext value={value}>
			<Frame>
				<FaultBoundary place={path.join("/")}>
					<Page />
				</FaultBoundary>
			</Frame>
			<NoticeBar notice={notice} say={setNotice} />
		</ConsoleContext>
	);
}

function Page() {
	const { mayAdminister, session } = useConsole();
	const { path, query } = useRoute();
	const [name = "", id] = path;
	if (name === "") return <HomePage />;
	if (name === "documents" && id !== undefined) return <DocumentPage key={id} id={id} chunk={query.get("chunk")} words={query.get("words")} />;
	if (name === "documents") return <DocumentsPage container={query.get("container") ?? ""} state={query.get("state") ?? ""} />;
	if (name === "search") return <SearchPage />;
	if (name === "memories") return <MemoriesPage container={query.get("container")} />;
	if (name === "graph") return <GraphPage key={query.get("container")} container={query.get("container")} />;
	if (name === "chat" && session.chat) return <ChatPage />;
	if (name === "access") return <AccessPage />;
	if (name === "organisation" && mayAdminister) return <OrganisationPage part={id ?? "settings"} />;
	return <MissingPage />;
}
