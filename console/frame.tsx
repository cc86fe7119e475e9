/** What stands around every page: the way to the other pages, who is signed in, and the way out. */

import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "react-aria-components";
import { useConsole } from "./context.ts";
import { Mark } from "./parts/mark.tsx";
import { to, useRoute } from "./route.ts";

const places = [
	{ name: "", label: "Home" },
	{ name: "documents", label: "Documents" },
	{ name: "search", label: "Search" },
	{ name: "memories", label: "Memories" },
	{ name: "graph", label: "Graph" },
	{ name: "chat", label: "Chat", isChat: true },
	{ name: "access", label: "Containers and keys", short: "Access" },
	{ name: "organisation", label: "Organisation", isAdmin: true },
] as const;

export function Frame({ children }: { readonly children: ReactNode }) {
	const { session, signOut, mayAdminister } = useConsole();
	const offered = places.filter((place) => (mayAdminister || !("isAdmin" in place)) && (session.chat || !("isChat" in place)));
	const { path } = useRoute();
	const here = path[0] ?? "";
	return (
		<div className="frame">
			<button type="button" className="skip" onClick={() => document.querySelector<HTMLElement>("h1")?.focus()}>
				Skip to the content
			</button>
			<header className="side">
				<a className="brand" href={to()}>
					<Mark />
					Cairn
				</a>
				<nav aria-label="Pages">
					<ul>
						{offered.map(({ name, label, ...rest }) => (
							<li key={name}>
								<a href={to(...(name === "" ? [] : [name]))} {...(here === name ? { "aria-current": path.length > 1 ? "true" : "page" } : {})}>
									{"short" in rest ? (
										<>
											<span className="wide-only">{label}</span>
											<span className="narrow-only">{rest.short}</span>
										</>
									) : (
										label
									)}
								</a>
							</li>
						))}
					</ul>
				</nav>
				<div className="account">
					<span className="wide-only">
						Signed in with the key <strong>{session.user.name}</strong>
					</span>
					<a className="wide-only" href="/docs">
						Documentation
					</a>
					<a className="wide-only" href="/swagger">
						API reference
					</a>
					<Button className="button quiet" onPress={signOut}>
						Sign out
					</Button>
				</div>
			</header>
			<main>{children}</main>
		</div>
	);
}

interface PageTitleProps {
	readonly children: string;
	readonly beside?: ReactNode;
}

/** The heading of a page. It takes the focus when the page opens, so that a screen reader says where one is. */
export function PageTitle({ children, beside }: PageTitleProps) {
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => {
		document.title = `${children} – Cairn`;
	}, [children]);
	useEffect(() => heading.current?.focus(), []);
	return (
		<div className="page-title">
			<h1 ref={heading} tabIndex={-1}>
				{children}
			</h1>
			{beside}
		</div>
	);
}
