import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { useStore } from 'zustand';
import type { Api } from './api/http.ts';
import { KeptSessions } from './composer/kept-sessions.ts';
import { KeptContext } from './composer/use-kept-session.ts';
import { Inbox } from './inbox/inbox.tsx';
import { languages } from './messages/language.ts';
import { useLanguage } from './messages/spoken.ts';
import { Notifications } from './notifications/notifications.tsx';
import { fetchAhead } from './pages/fetch-ahead.ts';
import { LoginPage } from './pages/login-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { WorkspacePage } from './pages/workspace-page.tsx';
import { NameCard } from './people/name-card.tsx';
import { Rules } from './rules/rules.tsx';
import { connectServices, ServicesContext } from './state/services.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { HomeDirectory } from './ui/home-directory.ts';

/** Who is led to a session need not wait for the start page. */
const WorkspacesPage = lazy(() =>
  import('./pages/workspaces-page.tsx').then((module) => ({ default: module.WorkspacesPage })),
);

/** The page: which part of it an address shows. */
export function App({ api }: { api: Api }) {
  const language = useLanguage();
  useLayoutEffect(() => {
    document.documentElement.lang = languages[language].tag;
  }, [language]);
  return (
    <ErrorBoundary>
      <Router base={api.base.pathname.replace(/\/$/, '')}>
        <Switch>
          <Route path="/login">
            <LoginPage api={api} />
          </Route>
          <Route>
            <LoggedIn api={api} />
          </Route>
        </Switch>
      </Router>
    </ErrorBoundary>
  );
}

/** Everything behind the login shares one live connection. Leaving it loads the page anew. */
function LoggedIn({ api }: { api: Api }) {
  const [services] = useState(() => connectServices(api));
  const [kept] = useState(() => new KeptSessions());
  const home = useStore(services.people, (people) => people.home);
  useEffect(fetchAhead, []);
  return (
    <ServicesContext value={services}>
      <HomeDirectory value={home}>
        <NameCard />
        <Inbox>
          <Notifications>
            <Rules>
              <Switch>
                <Route path="/">
                  <Suspense fallback={null}>
                    <WorkspacesPage />
                  </Suspense>
                </Route>
                <Route path="/w/:workspace">
                  {({ workspace }) => (
                    <KeptContext value={kept}>
                      <WorkspacePage key={workspace} workspaceId={workspace} />
                    </KeptContext>
                  )}
                </Route>
                <Route>
                  <NotFoundPage />
                </Route>
              </Switch>
            </Rules>
          </Notifications>
        </Inbox>
      </HomeDirectory>
    </ServicesContext>
  );
}
