/** Entry of the viewer. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { installTrustedTypes } from './lib/trusted';
import { App, preload } from './pages/app';
import { start } from './state/app';
import { settings, theme } from './state/settings';
import { exposeTests } from './state/testing';
import './styles/tokens.css';
import './styles/components.css';
import './styles/app.css';
import './styles/timeline.css';
import './styles/clocks.css';
import './styles/merge.css';

installTrustedTypes();
effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
  document.documentElement.dataset['contrast'] = settings.value.contrast;
});
exposeTests();
preload(location.hash);
const root = document.getElementById('app');
if (root) render(<App />, root);
void start();
