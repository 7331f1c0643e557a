import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './ui/tokens.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { Api } from './api/http.ts';
import { loginUrl } from './api/next.ts';
import { App } from './app.tsx';
import { languageOf } from './messages/language.ts';
import { speak } from './messages/spoken.ts';
import { deviceStorage } from './state/device-storage.ts';
import { keepVisibleHeight } from './ui/visible-height.ts';
import { keepWriting } from './ui/writing.ts';

// the server gives the base relative to the page it served; the page moves on without being served again
const base = new URL('.', document.baseURI);
document.querySelector('base')?.setAttribute('href', base.href);

keepVisibleHeight(visualViewport, document.documentElement);
keepWriting(document);

const api = new Api(base, () => location.assign(loginUrl(base, new URL(location.href))));

const render = () => createRoot(document.getElementById('root') as HTMLElement).render(<App api={api} />);
// a table that cannot be fetched leaves English
speak(languageOf(deviceStorage(), navigator.languages), navigator.languages).then(render, render);
