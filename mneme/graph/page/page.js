"use strict";
// Texts from the store reach the page as text alone (textContent, fillText): they may hold anything.
const data = JSON.parse(document.getElementById("data").textContent);
const detail = document.getElementById("detail");
const show = (text) => { detail.textContent = text; };
const chart = new ForceGraph(document.getElementById("graph"));
chart
  .backgroundColor("#1a1a2e")
  .nodeId("id")
  .nodeLabel(() => "")
  .linkLabel(() => "")
  .nodeColor("color")
  .nodeRelSize(5)
  .linkColor("color")
  .linkWidth((link) => 0.5 + 2 * link.weight)
  .linkCurvature("bend")
  .linkDirectionalArrowLength((link) => (link.directed ? 5 : 0))
  .linkDirectionalArrowRelPos(0.8)
  .nodeCanvasObjectMode(() => "after")
  .nodeCanvasObject((node, canvas, scale) => {
    const size = 12 / scale;
    canvas.font = `${size}px sans-serif`;
    canvas.textAlign = "center";
    canvas.textBaseline = "top";
    canvas.fillStyle = "#eeeeee";
    canvas.fillText(node.name, node.x, node.y + 6);
  })
  .onNodeClick((node) => show(node.text))
  .onLinkClick((link) => show(link.text))
  .onBackgroundClick(() => show(""))
  .graphData({ nodes: data.nodes, links: data.links });
addEventListener("resize", () => chart.width(innerWidth).height(innerHeight));
