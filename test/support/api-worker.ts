import { testApp } from './app.ts';

export default testApp;
